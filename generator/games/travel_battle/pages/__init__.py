"""What is printed of Travel Battle.

What is printed.
"""
