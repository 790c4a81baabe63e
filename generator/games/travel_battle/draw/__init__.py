"""The draw; the rules know nothing of it."""
