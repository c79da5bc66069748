// What the plugin does in DSH; what it must never do to it: throw, hang, reject a step, or keep it from starting.
import assert from "node:assert/strict"
import { describe, it } from "node:test"

import { FakeSession, HEADER, loaded, user } from "./dsh.mjs"

const QUESTION = [user("u1", "what is the deploy key?")]

describe("recall", () => {
  it("puts what the memory says of the session and of the prompt before the person's words", async () => {
    const { context, heard } = await loaded("answer")
    const session = new FakeSession(context)
    session.start("startup")
    const { kind, messages } = await session.step(QUESTION)
    assert.equal(kind, "enter")
    assert.equal(messages.length, 2)
    assert.deepEqual(messages[0].content, [
      { type: "text", text: "[session-start startup]\n\n[prompt what is the deploy key?]" },
    ])
    assert.deepEqual(messages[0].source, { kind: "plugin", plugin: "hardwon", form: "recall" })
    assert.equal(messages[1], QUESTION[0])
    assert.deepEqual(
      heard().find(({ event }) => event === "prompt"),
      {
        event: "prompt",
        session: "s1",
        folder: HEADER.cwd,
        subagent: false,
        prompt: "what is the deploy key?",
        turn: "u1",
      },
    )
    assert.equal(context.listeners.get("agent/pre-step").options.prepend, true)
  })

  it("begins a session once, and again after a compaction", async () => {
    const { context, heard } = await loaded("answer")
    const session = new FakeSession(context)
    await session.step(QUESTION) // the plugin came later than the session
    await session.step(QUESTION)
    session.start("compact")
    await session.step(QUESTION)
    assert.deepEqual(
      heard()
        .map(({ source }) => source)
        .filter(Boolean),
      ["resume", "compact"],
    )
  })

  it("asks nothing for a step that no person's words begin, and says nothing to one that is rejected", async () => {
    const { context, heard } = await loaded("answer")
    const session = new FakeSession(context)
    for (const messages of [[], [user("p1", "a reminder", "plugin")]])
      assert.deepEqual((await session.step(messages)).messages, messages)
    assert.deepEqual(await session.step(QUESTION, { decision: { kind: "reject" } }), { kind: "reject" })
    assert.deepEqual(heard(), [])
  })

  it("names sub-agents as such, and works where a session has no folder", async () => {
    const { context, heard } = await loaded("silent")
    await new FakeSession(context, "s2", { ...HEADER, origin: "subagent" }).step(QUESTION)
    await new FakeSession(context, "s3", {}).step(QUESTION)
    assert.deepEqual(
      heard()
        .map(({ subagent, folder }) => [subagent, folder])
        .sort(),
      [
        [false, process.cwd()],
        [false, process.cwd()],
        [true, HEADER.cwd],
        [true, HEADER.cwd],
      ],
    )
  })

  for (const mode of ["silent", "crash", "garbage", "hang", "huge", "half"]) {
    it(`lets the step enter as it is where the hook program is ${mode}`, async () => {
      const { context } = await loaded(mode)
      assert.deepEqual(await new FakeSession(context).step(QUESTION), { kind: "enter", messages: QUESTION })
    })
  }

  it("lets the step enter as it is where there is no Python any more, or a message is none", async () => {
    const { context } = await loaded("", { command: ["/nowhere/python3", "/nowhere/hook", "dsh"] })
    const session = new FakeSession(context)
    assert.deepEqual(await session.step(QUESTION), { kind: "enter", messages: QUESTION })
    session.turn()
    session.dispose()
    await context.dispose()
    const broken = [{ id: "x", source: { kind: "user" } }]
    assert.deepEqual(await session.step(broken), { kind: "enter", messages: broken })
    assert.equal(context.warnings.length, 1)
  })

  it("ends early when the turn is cancelled", async () => {
    const { context } = await loaded("hang")
    const cancelled = new AbortController()
    const entered = new FakeSession(context).step(QUESTION, { signal: cancelled.signal })
    cancelled.abort()
    assert.deepEqual(await entered, { kind: "enter", messages: QUESTION })
  })

  it("takes a prompt of 1 MB, and many sessions at once, each with its own answer", async () => {
    const { context, heard } = await loaded("answer")
    const prompt = "时区 ".repeat(250_000).trim()
    assert.equal((await new FakeSession(context).step([user("u1", prompt)])).messages.length, 2)
    assert.equal(heard().find(({ event }) => event === "prompt").prompt, prompt)
    const steps = Array.from({ length: 8 }, (_, number) =>
      new FakeSession(context, `s-${number}`).step([user("u", `question ${number}`)]),
    )
    const answers = (await Promise.all(steps)).map(({ messages }) => messages[0].content[0].text)
    answers.forEach((text, number) => assert.ok(text.endsWith(`[prompt question ${number}]`)))
  })
})

describe("capture", () => {
  it("spools a turn when it ends: who said what, without what plugins showed and what the agent thought", async () => {
    const { context, heard } = await loaded("silent")
    const session = new FakeSession(context)
    session.turn()
    await session.flush()
    const at = 1_796_000_000
    assert.deepEqual(heard(), [
      {
        event: "turn-end",
        session: "s1",
        folder: HEADER.cwd,
        turn: "u1",
        messages: [
          { id: "u1", by: "user", text: "why?", at },
          { id: "r-u1", by: "tool", text: "error 2", at, tool: "bash", request: "make test", failed: true },
          { id: "a-u1", by: "agent", text: "Done.", at },
        ],
      },
    ])
  })

  it("tells the end once, after all turns, when the session is disposed or DSH ends", async () => {
    for (const end of ["session", "program"]) {
      const { context, heard } = await loaded("silent")
      const session = new FakeSession(context)
      session.turn("u1")
      session.turn("u2")
      session.say("user/message", user("u3", "and then?"))
      if (end === "session") session.dispose()
      await context.dispose()
      session.dispose()
      assert.deepEqual(
        heard().map(({ event, turn }) => turn ?? event),
        ["u1", "u2", "u3", "session-end"],
      )
    }
  })

  it("tells again what the hook program did not take, before what came since", async () => {
    const { context, heard } = await loaded("once")
    const session = new FakeSession(context)
    session.turn("u1")
    await session.flush()
    session.turn("u2")
    await session.flush()
    assert.deepEqual(
      heard().map(({ turn }) => turn),
      ["u1", "u1", "u2"],
    )
  })

  it("leaves out sub-agents, summaries that take the place of what was said, and sessions without a word", async () => {
    const { context, heard } = await loaded("silent")
    new FakeSession(context, "s2", { origin: "subagent" }).turn()
    const session = new FakeSession(context)
    session.say("user/message", user("u9", "summary"), { surfaceOp: { op: "replace", start: 1, end: 4 } })
    session.say("turn/end", { turn: 1 })
    session.dispose()
    await context.dispose()
    assert.deepEqual(heard(), [])
  })

  it("keeps the arguments of a call that are no good JSON, and the result of a call that it did not see", async () => {
    const { context, heard } = await loaded("silent")
    const session = new FakeSession(context)
    session.say("tool/call", { callId: "c1", name: "bash", arguments: '{"command": "make' })
    for (const toolCallId of ["c1", "c0"]) {
      session.say("tool/result", { message: { id: toolCallId, content: [{ toolCallId, content: [] }] } })
    }
    session.say("turn/end", { turn: 1 })
    await session.flush()
    assert.deepEqual(
      heard()[0].messages.map(({ tool, request }) => [tool, request]),
      [
        ["bash", '{"command": "make'],
        ["unknown", ""],
      ],
    )
  })

  it("never throws, whatever an event holds", async () => {
    const { context } = await loaded("silent")
    const session = new FakeSession(context)
    session.say("user/message", {})
    session.say("tool/result", { message: { content: [] } })
    session.say("turn/end", {})
    await context.dispose()
    assert.equal(context.warnings.length, 2)
  })
})

describe("starting", () => {
  it("needs no service and no package to start: what is missing is said in the log", async () => {
    const { context, plugin } = await loaded("answer", { server: ["node"] }, {})
    assert.equal(plugin.inject, undefined)
    assert.match(context.warnings[0], /dsh-llm/)
    assert.equal(context.listeners.size, 0)
    const unset = await loaded("answer", { command: null })
    assert.match(unset.context.warnings[0], /hardwon setup/)
  })

  it("is not there in hardwon's own processes", async () => {
    process.env.HARDWON_HOOKS = "off"
    const { context } = await loaded("answer")
    delete process.env.HARDWON_HOOKS
    assert.equal(context.listeners.size, 0)
  })
})
