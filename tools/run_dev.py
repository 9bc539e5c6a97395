"""Entry of `./dev`: a script, so that tools/ is on sys.path without touching the environment."""

import sys

from dev.commands import main

sys.exit(main())
