"""From a session's turns to what it taught, without a language model.

offline        the Extractor: the finders' candidates, weighed against the rest of the session

corrections    what a person taught in their own words
choices        what they chose among what was offered (options)
claims         what the agent found out
failures       a command that failed, and the form of it that worked

typed          a sentence that a person typed, in its place; features: what it looks like, as numbers
told           the same of a sentence that the agent said
judgement      features × weights; gate: why something is not written; kinds: lesson, decision, preference or fact
explanations   how much a sentence of the agent's explains, where one is looked for to tell with another
evidence       the words that prove it; wording: so that it can be read alone; lesson_parts: situation, cause, fix
phrasing       small changes of a sentence's words
passages       a message's sentences in its speaker's words; pasting: what others wrote
cues           the words of lexicon/, English and Chinese
"""
