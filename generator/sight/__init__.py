"""Lines of sight: pure geometry first, rulings over it second."""
