"""Run the command line as ``python -m treewright``."""

from treewright.cli import main

if __name__ == "__main__":
    main()
