"""The front door: configuration, assembly and commands; in rooms of their own the table, its boards and the rest."""
