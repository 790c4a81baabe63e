"""The draw, and how typed wishes enter it; the rules know nothing of it."""
