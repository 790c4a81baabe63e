"""Run every verb under the lowest, newest and pinned libraries, on each available Python.

`python -m tests.versions` (`make versions`) creates an environment for each combination below .versions/ and
compares the files and output.
"""
