// The harness goes on, whatever becomes of the hook program: an answer is a text or nothing, never an error nor late.
import assert from "node:assert/strict"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { fileURLToPath, pathToFileURL } from "node:url"

const folder = pathToFileURL(`${process.env.HARDWON_JAVASCRIPT}/`)
const { HookProgram, isSwitchedOff } = await import(new URL("hook_program.mjs", folder))
const { LONGEST_REQUEST, LONGEST_RESULT, requestOf, shortened } = await import(new URL("messages.mjs", folder))

const stub = fileURLToPath(new URL("stub_hook.mjs", import.meta.url))
const room = mkdtempSync(join(tmpdir(), "hardwon-test-"))
after(() => rmSync(room, { recursive: true }))
let count = 0

/** Seconds: none that a busy machine needs, and few for what never ends. */
const ENOUGH = 60
const FEW = 0.5

function program(mode) {
  const log = join(room, `log-${count++}`)
  const heard = () =>
    readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  return {
    program: new HookProgram({ command: [process.execPath, stub, log, mode], limit: mode === "hang" ? FEW : ENOUGH }),
    heard,
  }
}

const PROMPT = { event: "prompt", session: "s", folder: "/p", prompt: "why 时区?" }

describe("asking", () => {
  it("gives the event and returns the text of the answer", async () => {
    const { program: asked, heard } = program("answer")
    assert.equal(await asked.ask(PROMPT), "[prompt why 时区?]")
    assert.deepEqual(heard(), [PROMPT])
  })

  for (const mode of ["silent", "crash", "garbage", "half", "huge"]) {
    it(`returns nothing from a program that is ${mode}`, async () => {
      assert.equal(await program(mode).program.ask(PROMPT), "")
    })
  }

  it("returns nothing from a program that hangs, at the limit, and ends it", async () => {
    const begun = Date.now()
    assert.equal(await program("hang").program.ask(PROMPT), "")
    assert.ok(Date.now() - begun >= 1_000 * FEW - 50)
  })

  it("returns nothing where there is no such program, or no Python any more", async () => {
    assert.equal(
      await new HookProgram({ command: ["/nowhere/python3", "-I", "/nowhere/hook"], limit: ENOUGH }).ask(PROMPT),
      "",
    )
    assert.equal(await new HookProgram({ command: ["\0"], limit: ENOUGH }).ask(PROMPT), "")
  })

  it("takes a prompt of 1 MB whole", async () => {
    const { program: asked, heard } = program("answer")
    const prompt = "时区 ".repeat(250_000)
    assert.equal(await asked.ask({ ...PROMPT, prompt }), `[prompt ${prompt.slice(0, 40)}]`)
    assert.equal(heard()[0].prompt, prompt)
  })

  it("takes the answer of a program that reads nothing of 1 MB", async () => {
    assert.equal(await program("deaf").program.ask({ ...PROMPT, prompt: "x".repeat(1_000_000) }), "unread")
  })

  it("answers many at once, each with its own", async () => {
    const asked = program("answer").program
    const numbers = Array.from({ length: 20 }, (_, number) => number)
    const answers = await Promise.all(numbers.map((number) => asked.ask({ ...PROMPT, prompt: `p${number}` })))
    assert.deepEqual(
      answers,
      numbers.map((number) => `[prompt p${number}]`),
    )
  })

  it("ends early when the turn is cancelled", async () => {
    const cancelled = new AbortController()
    const asked = new HookProgram({ command: [process.execPath, stub, join(room, "log"), "hang"], limit: 3_600 })
    const answer = asked.ask(PROMPT, cancelled.signal)
    cancelled.abort()
    assert.equal(await answer, "")
    assert.equal(await program("answer").program.ask(PROMPT, cancelled.signal), "")
  })

  it("never gives half of a character, which UTF-8 cannot say", async () => {
    const { program: asked, heard } = program("silent")
    await asked.ask({ ...PROMPT, prompt: "cut \ud83d" })
    assert.equal(heard()[0].prompt, "cut \ufffd")
  })
})

describe("telling", () => {
  it("says whether the program took it", async () => {
    const { program: told, heard } = program("silent")
    assert.equal(await told.tell({ event: "session-end" }), true)
    assert.equal(told.tellNow({ event: "turn-end" }), true)
    assert.deepEqual(
      heard().map(({ event }) => event),
      ["session-end", "turn-end"],
    )
    assert.equal(await program("crash").program.tell({}), false)
    assert.equal(program("crash").program.tellNow({}), false)
    assert.equal(program("hang").program.tellNow({}), false)
    assert.equal(new HookProgram({ command: ["/nowhere"], limit: ENOUGH }).tellNow({}), false)
    assert.equal(new HookProgram({ command: ["\0"], limit: ENOUGH }).tellNow({}), false)
  })

  it("refuses a command line that is none", () => {
    for (const command of [undefined, "python", [], [7]]) assert.throws(() => new HookProgram({ command }), /setup/)
  })

  it("is off in hardwon's own processes", () => {
    assert.equal(isSwitchedOff(), false)
    process.env.HARDWON_HOOKS = "off"
    assert.equal(isSwitchedOff(), true)
    delete process.env.HARDWON_HOOKS
  })
})

describe("messages", () => {
  it("keep the beginning and the end of what a tool gave", () => {
    assert.equal(shortened("short"), "short")
    const long = shortened("a".repeat(9_000) + "z")
    assert.ok(long.length <= LONGEST_RESULT && long.startsWith("aa") && long.endsWith("az"))
  })

  it("say in one line what was asked of a tool", () => {
    assert.equal(requestOf({ description: "Runs it", command: "make\n  test" }), "make test")
    assert.equal(requestOf({ filePath: "/p/a.py", content: "…" }), "/p/a.py")
    assert.equal(requestOf({ command: ["git", "log"] }), "git log")
    assert.equal(requestOf({ odd: 1 }), '{"odd":1}')
    assert.equal(requestOf("words"), "words")
    for (const nothing of [undefined, null, 7, [], {}]) assert.equal(requestOf(nothing), "")
    assert.equal(requestOf("x".repeat(9_000)).length, LONGEST_REQUEST)
  })
})
