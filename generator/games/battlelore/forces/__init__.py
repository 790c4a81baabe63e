"""Units, what they are worth, what a camp owns of them, and war councils."""
