"""The printed pages of Tablut."""
