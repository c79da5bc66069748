"""Evaluation: how true the proposals are, how well recall finds the rules, and what they would have prevented.

labelled      a set of lessons whose causes are known, and tasks that they bear on
rehearsal     a home of its own for one run, with the user's settings; the memory is never touched
clusters      B-cubed, purity and the like, of proposals against causes
rules         whether a rule can stand as it is worded
retrieval     recall at k, false injection
reliability   confidence against being right
bootstrap     intervals
evaluate      all of these on a labelled set
replay        the user's own lessons in the order of their dates; `backtest` reports what it found
charts        plots as PNG and as text
"""
