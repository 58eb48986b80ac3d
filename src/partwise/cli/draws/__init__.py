"""Commands that draw random numbers or samples: tests, intervals, estimates."""
