"""`python -m splice` is the `splice` command."""

import sys

from splice.cli import main

sys.exit(main())
