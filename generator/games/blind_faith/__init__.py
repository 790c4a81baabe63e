"""Blind Faith: marches, intercepts, battles and sieges of the Hussite wars, with one's own tables or the house's."""
