// Stands in for the hook program: keeps what it is told in a file, and answers or misbehaves as its arguments say.
//
// Usage: node stub_hook.mjs LOG MODE. Modes: answer, silent, crash, garbage, hang, huge, deaf (answers unread), half,
// once (crashes the first time).
import { appendFileSync, existsSync, readFileSync } from "node:fs"

const [log, mode] = process.argv.slice(2)
if (mode === "deaf") {
  process.stdout.write('{"text": "unread"}', () => process.exit(0))
} else {
  const raw = readFileSync(0, "utf8")
  const payload = JSON.parse(raw)
  const isFirst = !existsSync(log)
  appendFileSync(log, raw + "\n")
  const answers = {
    answer: () => JSON.stringify({ text: `[${payload.event} ${payload.source ?? payload.prompt?.slice(0, 40)}]` }),
    silent: () => "",
    once: () => "",
    garbage: () => "not { JSON",
    half: () => '{"text": "half an ans',
    huge: () => JSON.stringify({ text: "x".repeat(3_000_000) }),
    crash: () => '{"text": "said before the crash"}',
  }
  if (mode === "hang") setInterval(() => {}, 1_000)
  else
    process.stdout.write(answers[mode](), () => process.exit(mode === "crash" || (mode === "once" && isFirst) ? 3 : 0))
}
