"""Play by post: logs read, judged, continued and shown again."""
