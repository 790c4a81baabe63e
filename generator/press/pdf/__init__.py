"""PDF files: the only user of ReportLab and of its private names."""
