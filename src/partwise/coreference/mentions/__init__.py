"""Which mention of the response is which mention of the key."""
