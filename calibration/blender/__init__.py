"""Another renderer's eyes' test: tables made and lit by Blender (Cycles), which runs in a Python of its own."""
