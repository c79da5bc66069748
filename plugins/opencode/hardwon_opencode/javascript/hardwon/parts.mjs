// OpenCode's parts of a message: what of them a person typed, what a tool did, and the part that hardwon adds.

import { randomBytes } from "node:crypto"

import { requestOf, shortened } from "./messages.mjs"

/** Parts are shown to the model in the order of their ids, which begin with the time: this one comes first. */
const FIRST = "prt_000000000000"

/** Return the part that shows a text of hardwon's to the model; `synthetic` tells everybody that nobody typed it. */
export function injectedPart(text, sessionID, messageID) {
  const id = FIRST + randomBytes(12).toString("base64url").replace(/[-_]/g, "0").slice(0, 14)
  return { id, sessionID, messageID, type: "text", text, synthetic: true }
}

/** Return the words that stand in a message's parts and that OpenCode did not put there itself. */
export function askedIn(parts) {
  return parts
    .filter(isSaid)
    .map((part) => part.text)
    .join("\n")
}

/** Tell whether a part holds words of the one whose message it is. */
export function isSaid(part) {
  return part?.type === "text" && typeof part.text === "string" && !part.synthetic && !part.ignored
}

/** Return what a person typed. `opencode run "two words"` puts what the shell took quotes from into quotes again. */
export function typedWords(text) {
  const trimmed = text.trim()
  const quoted = /^"((?:[^"\\]|\\[^])*)"$/u.exec(trimmed)
  return quoted ? quoted[1].replaceAll('\\"', '"') : trimmed
}

/** Return the message of the hook program that a part of an agent's message is; undefined where it is none. */
export function messageOf(part, at) {
  if (isSaid(part) && part.text.trim()) return { id: part.id, by: "agent", text: part.text, at }
  const state = part?.state
  if (part?.type !== "tool" || !["completed", "error"].includes(state?.status)) return undefined
  const failed = state.status === "error"
  const given = failed ? state.error : state.output
  return {
    id: part.id,
    by: "tool",
    text: shortened(typeof given === "string" ? given : ""),
    at: typeof state.time?.end === "number" ? state.time.end / 1000 : at,
    tool: String(part.tool),
    request: requestOf(state.input),
    failed,
  }
}
