"""`python -m companion`."""

import sys

from companion.service.cli import main

sys.exit(main())
