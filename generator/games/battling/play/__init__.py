"""What may happen in the arena: orders, positions, sight, and games played at random."""
