"""The versions we promise: every verb under the lowest, the newest and the pinned libraries, on each Python there is.

`python -m tests.versions` (`make versions`) makes an environment for each below .versions/ and holds what they write
and say against each other.
"""
