"""What is printed of Call to Arms.

What is printed.
"""
