"""What is printed of Battling."""
