"""Check the content, the ink and the print quality of finished PDFs."""
