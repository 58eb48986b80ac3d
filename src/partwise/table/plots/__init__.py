"""Pictures of tables and of their components."""
