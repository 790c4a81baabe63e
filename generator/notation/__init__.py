"""Text formats, such as TOML files and drawn maps, whose readers report each fault with its line."""
