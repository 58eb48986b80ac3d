"""What type checkers make of calls: right ones pass, wrong ones are refused."""
