"""What may happen: marches, interception, battles and sieges, and the odds."""
