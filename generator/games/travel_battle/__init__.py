"""Travel Battle: square boards side by side, brigades, and lines of sight of guns."""
