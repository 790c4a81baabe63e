"""Code that all games share."""
