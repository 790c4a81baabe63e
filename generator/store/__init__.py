"""Find, read and write files."""
