"""What the command line says: its help, and its sentences in the words of its options."""
