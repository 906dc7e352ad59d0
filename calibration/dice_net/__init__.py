"""The net that reads dice: what it is taught with, and how."""
