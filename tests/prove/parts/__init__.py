"""The parts of the proof, a module each."""
