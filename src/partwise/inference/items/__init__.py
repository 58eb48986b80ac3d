"""Items as units: drawn, or left out one by one."""
