import sys

from hastilude.cli import main

sys.exit(main())
