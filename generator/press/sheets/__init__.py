"""From a template to flowables: the sandbox it runs in, the markup, tables, forms."""
