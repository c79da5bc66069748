// What OpenCode's model is shown; and that no message is ever harmed by it.
import assert from "node:assert/strict"
import { describe, it } from "node:test"

import { chat, created, eventOf, loaded, now, recorded, session, turn, USER } from "./opencode.mjs"

describe("recall", () => {
  it("puts what the memory says of session and prompt before the user's words, marked as nobody's", async () => {
    const { hooks, heard } = await loaded("answer")
    await hooks.event(created())
    const { parts, message } = await chat(hooks)
    assert.equal(parts.length, 2)
    const [added, typed] = parts
    assert.equal(added.text, "[session-start startup]\n\n[prompt what is the deploy key?]")
    assert.deepEqual(
      [added.type, added.synthetic, added.messageID, added.sessionID],
      ["text", true, message.id, session],
    )
    assert.ok(added.id.startsWith("prt_") && added.id < typed.id && added.id.length === typed.id.length)
    const asked = heard().find(({ event }) => event === "prompt")
    assert.deepEqual(asked, {
      event: "prompt",
      session,
      folder: "/home/you/project",
      subagent: false,
      prompt: "what is the deploy key?",
      turn: USER,
    })
  })

  it("begins a session once, again when its history was compacted, and says when it is resumed", async () => {
    const { hooks, heard } = await loaded("answer")
    await hooks.event(eventOf("session.created")) // created in the past: OpenCode was started again
    await chat(hooks)
    await chat(hooks)
    await hooks.event({ event: { type: "session.compacted", properties: { sessionID: session } } })
    await chat(hooks)
    assert.deepEqual(
      heard()
        .map(({ source }) => source)
        .filter(Boolean),
      ["resume", "compact"],
    )
  })

  it("asks OpenCode for a session that no event told of", async () => {
    const asked = []
    const get = async ({ path }) => (
      asked.push(path.id),
      { data: { directory: "/elsewhere", parentID: "ses_parent", time: { created: 1 } } }
    )
    const { hooks, heard } = await loaded("silent", { client: { session: { get } } })
    await chat(hooks)
    await chat(hooks)
    assert.deepEqual(asked, [session])
    assert.deepEqual(
      heard().map(({ folder, subagent }) => [folder, subagent]),
      Array(3).fill(["/elsewhere", true]),
    )
  })

  for (const client of [
    { session: { get: () => new Promise(() => {}) } },
    {
      session: {
        get: async () => {
          throw new Error("no")
        },
      },
    },
  ]) {
    it("goes on where OpenCode does not tell", async () => {
      const { hooks } = await loaded("answer", { client })
      assert.equal((await chat(hooks)).parts.length, 2)
    })
  }

  it("takes the quotes off that `opencode run` puts around its argument, and no others", async () => {
    const { hooks, heard } = await loaded("silent")
    for (const text of ['"say \\"hi\\" twice"', 'say "hi" now', '"a" and "b"', '""']) await chat(hooks, text)
    const prompts = heard()
      .filter(({ event }) => event === "prompt")
      .map(({ prompt }) => prompt)
    assert.deepEqual(prompts, ['say "hi" twice', 'say "hi" now', '"a" and "b"'])
  })

  for (const mode of ["silent", "crash", "garbage", "hang", "huge", "half"]) {
    it(`leaves the message as it is where the hook program is ${mode}`, async () => {
      const { hooks } = await loaded(mode)
      assert.deepEqual(await chat(hooks), recorded("chat.message").output)
    })
  }

  it("leaves the message as it is where there is no Python any more", async () => {
    const { hooks } = await loaded("", { command: ["/nowhere/python3", "-I", "-S", "/nowhere/hook", "opencode"] })
    assert.deepEqual(await chat(hooks), recorded("chat.message").output)
    await turn(hooks)
    await hooks.event(eventOf("session.idle"))
    await hooks.dispose()
  })

  it("never throws, whatever OpenCode gives it, and says so in OpenCode's log", async () => {
    const said = []
    const client = { app: { log: async ({ body }) => said.push(body) } }
    const { hooks } = await loaded("answer", { client })
    await hooks["chat.message"]({ sessionID: session }, {})
    await hooks["chat.message"]({}, { parts: "x", message: null })
    await hooks["command.execute.before"](undefined)
    for (const event of [{}, { type: "message.updated" }, { type: "message.part.updated", properties: { part: 7 } }])
      await hooks.event({ event })
    await hooks.event(undefined)
    await hooks.dispose()
    assert.ok(said.length && said.every(({ service, level }) => service === "hardwon" && level === "warn"))
  })

  it("takes a prompt of 1 MB, and many sessions at once", async () => {
    const { hooks, heard } = await loaded("answer")
    const prompt = "时区 ".repeat(250_000).trim()
    assert.equal((await chat(hooks, prompt)).parts.length, 2)
    assert.equal(heard().find(({ event }) => event === "prompt").prompt, prompt)
    const outputs = await Promise.all(
      Array.from({ length: 8 }, async (_, number) => {
        const { input, output } = recorded("chat.message")
        output.parts[0].text = `question ${number}`
        await hooks["chat.message"]({ ...input, sessionID: `ses_${number}` }, output)
        return output.parts[0]
      }),
    )
    outputs.forEach((part, number) => {
      assert.equal(part.sessionID, `ses_${number}`)
      assert.ok(part.text.endsWith(`[prompt question ${number}]`))
    })
  })

  it("is not there in hardwon's own processes, nor where setup left no data", async () => {
    process.env.HARDWON_HOOKS = "off"
    assert.deepEqual((await loaded("answer")).hooks, {})
    delete process.env.HARDWON_HOOKS
    const said = []
    const client = { app: { log: async ({ body }) => said.push(body.message) } }
    assert.deepEqual((await loaded("answer", { client, command: "python" })).hooks, {})
    assert.match(said[0], /hardwon setup/)
  })
})
