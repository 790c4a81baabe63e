"""Measure the figures of the documentation, each as a ratio of two times taken in one run."""
