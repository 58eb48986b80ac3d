"""Commands that write a report page: of two clusterings, of coreference, of a sweep."""
