"""Estimates for a population from a sample of its true clusters."""
