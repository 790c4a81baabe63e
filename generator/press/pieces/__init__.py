"""What is cut out: card faces, tokens, and where they lie on paper with their backs."""
