"""BattleLore: what its expansions share, and the base game without cards.

BattleLore: its boards, terrain, units and sight, which its expansions build on.
"""
