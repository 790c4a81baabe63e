"""What is printed for Tablut."""
