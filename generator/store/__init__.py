"""The locations of files, and how they are read and written."""
