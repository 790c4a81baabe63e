"""The supported versions: every verb under the lowest, newest and pinned libraries, on each available Python.

`python -m tests.versions` (`make versions`) makes an environment for each below .versions/ and compares what they
write and print.
"""
