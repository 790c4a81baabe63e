"""Printed pages of Call to Arms."""
