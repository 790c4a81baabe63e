"""The printed pages of Battling."""
