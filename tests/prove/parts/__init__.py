"""Modules that each prove one part of the proof."""
