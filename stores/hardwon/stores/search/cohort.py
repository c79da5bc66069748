"""Texts on anything at all, in English and Chinese. A question's cosines to them say what a cosine is worth.

Models differ in the level of their cosines (unrelated texts lie at 0.1 in one and at 0.8 in another), and so do
questions. What stands clearly above a fixed cohort of impostors is near in any of them (score normalisation with a
cohort: Auckenthaler, Carey & Lloyd-Thomas, Score normalization for text-independent speaker verification systems, 2000).
"""

from __future__ import annotations

from hardwon.kernel.use_cases.embedding import vector_key

SENTENCES = (
    "The quarterly report is due on Friday and needs two more charts.",
    "Water the tomatoes early in the morning, before the sun is high.",
    "How do I center a heading on a page?",
    "季度报告周五要交，还缺两张图表。",
)

TEXTS = {vector_key(text): text for text in SENTENCES}
