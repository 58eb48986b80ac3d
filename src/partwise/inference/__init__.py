"""How sure a score is: null models, permutation and paired tests, bootstrap, jackknife."""
