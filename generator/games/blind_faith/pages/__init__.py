"""What is printed of Blind Faith.

What is printed.
"""
