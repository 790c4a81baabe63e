"""Machines with their charts, and squads of them."""
