// Small readings of DSH's sessions and messages.

/** Tell whether a session is one of a sub-agent, by its header. */
export function isSubagent(header) {
  return header?.origin === "subagent"
}

/** Return the words of a message or of a tool's result: its blocks of text, without reasoning and images. */
export function wordsOf({ content }) {
  const texts = content.filter(({ type }) => type === "text").map(({ text }) => text)
  return texts.join("\n").trim()
}
