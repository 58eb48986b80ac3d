"""Documents of mentions, as columns, under the policies of a convention."""
