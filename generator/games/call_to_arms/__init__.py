"""Call to Arms: BattleLore armies raised with deployment cards.

Call to Arms: armies raised with deployment cards on a BattleLore board.
"""
