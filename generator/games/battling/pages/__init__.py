"""Pages of Battling."""
