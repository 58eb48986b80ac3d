"""The report page of a sweep."""
