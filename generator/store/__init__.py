"""Where files live and how they are written."""
