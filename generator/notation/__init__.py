"""Text formats: TOML files and drawn maps, read with the line of every fault."""
