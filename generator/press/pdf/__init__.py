"""PDF files; no other package imports ReportLab."""
