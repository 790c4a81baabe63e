"""Measure the figures in the documentation. Each is a ratio of two values measured in the same run."""
