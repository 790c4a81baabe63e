"""Logs of posted orders: read, judged line by line, and told turn by turn."""
