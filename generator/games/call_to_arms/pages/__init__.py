"""What is printed of Call to Arms."""
