"""Blind Faith: marches, interceptions, battles and sieges of the Hussite wars, with house or user tables."""
