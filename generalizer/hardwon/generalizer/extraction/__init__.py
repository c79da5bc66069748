"""From a session's turns to what it taught, without a language model.

offline        the Extractor: the finders' candidates, weighed against the rest of the session

corrections    what a person taught in their own words
choices        what they chose among what was offered (options)
claims         what the agent says was the cause
failures       a command that failed, and the form of it that worked

typed          a sentence that a person typed, in its place; features: what it looks like, as numbers
judgement      features × weights; gate: why something is not written; kinds: lesson, decision, preference or fact
explanations   how much a sentence of the agent's explains
evidence       the words that prove it; wording: so that it can be read alone; lesson_parts: situation, cause, fix
passages       a message's sentences in its speaker's words; pasting: what others wrote
cues           the words of lexicon/, English and Chinese
"""
