"""Reports: text, Markdown, CSV, JSON, HTML."""
