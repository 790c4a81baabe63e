"""What is printed of Blind Faith."""
