"""Create PDF files. Only this package imports ReportLab."""
