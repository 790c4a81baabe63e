"""Pages, posters parted into tiles, and making up for what a printer does."""
