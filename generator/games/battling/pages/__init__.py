"""What is printed of Battling.

What is printed.
"""
