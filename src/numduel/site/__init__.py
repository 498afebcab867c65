"""The same application without a server: in the browser, from a folder of static files."""
