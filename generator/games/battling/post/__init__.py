"""Play by post: read and judge logs, write the next post, and replay a log as pictures."""
