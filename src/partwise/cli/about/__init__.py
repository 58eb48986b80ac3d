"""Commands about the tool: its measures, and what completes its words in a shell."""
