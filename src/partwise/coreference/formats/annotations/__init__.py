"""Annotations beside a text or within it: brat, LitBank, MMAX, ECB+, TEI."""
