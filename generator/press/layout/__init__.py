"""Text columns: from the markup of a sheet to what stands where on a page."""
