"""The command line: options, commands, reports and their messages."""
