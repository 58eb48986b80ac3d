"""Tables as text, Markdown, CSV, JSON and HTML; nothing here knows a type of result."""
