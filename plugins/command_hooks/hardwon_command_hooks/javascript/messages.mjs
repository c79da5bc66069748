// What was said in a session, in the form that the hook program takes: the same limits and choices as those of
// hardwon's readers of transcripts, so that a turn captured live and the same turn imported later are one.

/** Characters of what a tool gave: its first and last ones; errors stand at either end. */
export const LONGEST_RESULT = 4_000
/** Characters of what was asked of a tool. */
export const LONGEST_REQUEST = 500
/** The parameters that say most of what was asked of a tool, the most telling first. */
const TELLING = [
  "command",
  "cmd",
  "file_path",
  "filePath",
  "path",
  "query",
  "pattern",
  "url",
  "question",
  "prompt",
  "description",
]

const FIRST_WORD = /^[^ \t\r\n]{0,400}[ \t\r\n]/u
const LAST_WORD = /[ \t\r\n][^ \t\r\n]{0,400}$/u

/**
 * Return what a tool gave, at most LONGEST_RESULT characters: its beginning and its end.
 *
 * The words next to the cut are left out: of half a key nobody can tell that it is one.
 */
export function shortened(text) {
  if (text.length <= LONGEST_RESULT) return text
  const half = (LONGEST_RESULT - 3) >> 1
  return `${text.slice(0, half).replace(LAST_WORD, "")}\n…\n${text.slice(-half).replace(FIRST_WORD, "")}`
}

/** Return in one line what was asked of a tool: its most telling parameter, else all of them as JSON. */
export function requestOf(given) {
  if (typeof given === "string") return oneLine(given)
  if (given === null || typeof given !== "object" || Array.isArray(given)) return ""
  for (const name of TELLING) {
    let value = given[name]
    if (Array.isArray(value) && value.every((each) => typeof each === "string")) value = value.join(" ")
    if (typeof value === "string" && value.trim()) return oneLine(value)
  }
  return Object.keys(given).length ? oneLine(JSON.stringify(given)) : ""
}

function oneLine(text) {
  const line = text
    .slice(0, 4 * LONGEST_REQUEST)
    .split(/\s+/u)
    .filter(Boolean)
    .join(" ")
  return line.length <= LONGEST_REQUEST ? line : line.slice(0, LONGEST_REQUEST).replace(LAST_WORD, "")
}
