"""The coreference measures and what is made of them."""
