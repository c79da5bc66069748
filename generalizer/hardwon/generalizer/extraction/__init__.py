"""From a session's turns to what it taught, without a language model.

offline       the Extractor: the finders' candidates, weighed against the rest of the session
corrections   what a person taught in their own words        choices    what they chose among what was offered
claims        what the agent says was the cause               failures   a command that failed, and the form that worked
passages      sentences without code, quotations and logs     features   what a sentence looks like, within and around
lexicon       the cues, English and Chinese                   judgement  features × weights
gate          why something is not written                    wording    so that it can be read alone
"""
