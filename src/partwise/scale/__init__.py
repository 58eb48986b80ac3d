"""Engines for tables that outgrow memory or the machine."""
