"""What is printed of Travel Battle."""
