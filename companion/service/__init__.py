"""The front door: configuration, assembly, loop and command line."""
