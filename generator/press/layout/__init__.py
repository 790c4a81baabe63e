"""Layout: from the markup of a sheet to positioned content on pages."""
