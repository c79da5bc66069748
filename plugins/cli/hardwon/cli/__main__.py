"""`python -m hardwon.cli` is the program `hardwon`."""

from hardwon.cli.main import main

if __name__ == "__main__":
    main()
