from tests.terminal.golden import main

main()
