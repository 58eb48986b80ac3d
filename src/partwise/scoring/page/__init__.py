"""The report page of two clusterings, and its list of the worst clusters."""
