"""Certificates in the browser."""
