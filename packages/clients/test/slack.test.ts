import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSlack } from '../src/slack/slack.ts'
import { type HttpReply, startHttpReceiver } from './channel-receivers.ts'
import { catchDeliveryError } from './delivery-failure.ts'

const secret = '/services/T0001/B0002/secretsecret'

async function slack(usual: HttpReply = { status: 200, body: 'ok' }, timeoutMs = 5_000) {
  const receiver = await startHttpReceiver(usual)
  const channel = openSlack({ url: receiver.origin + secret, timeoutMs })
  onTestFinished(async () => {
    await channel.close()
    await receiver.stop()
  })
  return { channel, state: receiver.state }
}

const message = { title: 'a.test is down: 503', lines: ['Customer: ALPEN'], url: 'https://kustos.test/a?b&c' }

const catchError = (sending: Promise<void>) => catchDeliveryError(sending, [secret, 'secretsecret'])

test('posts the title, the lines and the link as plain text', async () => {
  const { channel, state } = await slack()
  await channel.send(message)
  expect(state.posted).toHaveLength(1)
  expect(state.posted[0]).toMatchObject({
    path: secret,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: {
      text: 'a.test is down: 503\nCustomer: ALPEN\nhttps://kustos.test/a?b&amp;c',
      mrkdwn: false,
      unfurl_links: false,
    },
  })
})

test('escapes markup and mentions, and keeps a line on one line', async () => {
  const { channel, state } = await slack()
  await channel.send({
    title: '<!channel> müller.test\nis down',
    lines: ['<b>&"\r\n\u2028&amp; \u202Etxt.exe', 'x\u0000y'],
  })
  expect(state.posted[0]?.body.text).toBe(
    '&lt;!channel&gt; müller.test is down\n&lt;b&gt;&amp;" &amp;amp; txt.exe\nx y',
  )
})

test('shortens a long text to 4,000 characters, counts the omitted lines and keeps the link', async () => {
  const { channel, state } = await slack()
  const lines = Array.from({ length: 100 }, (_, index) => `${index} ${'&'.repeat(30)}`)
  await channel.send({ ...message, lines })
  const text = String(state.posted[0]?.body.text)
  expect(text.length).toBeLessThan(4_000)
  expect(text.length).toBeGreaterThan(3_700)
  const shown = text.split('\n')
  expect(shown.at(-1)).toBe('https://kustos.test/a?b&amp;c')
  expect(shown.at(-2)).toBe(`… and ${100 - (shown.length - 3)} more lines`)
  await channel.send({ title: '😀'.repeat(400), lines: [] })
  expect(state.posted[1]?.body.text).toBe(`${'😀'.repeat(249)}…`)
})

describe('a refusal', () => {
  const permanent = { isPermanent: true, retryAfterMs: null }
  const transient = { isPermanent: false, retryAfterMs: null }
  test.each([
    [404, 'no_service', permanent, /no_service.*SLACK_WEBHOOK_URL/],
    [404, 'channel_not_found', permanent, /channel_not_found/],
    [410, 'channel_is_archived', permanent, /channel_is_archived/],
    [403, 'action_prohibited', permanent, /action_prohibited/],
    [403, 'invalid_token', permanent, /invalid_token/],
    [500, 'team_disabled', permanent, /team_disabled/],
    [400, 'invalid_payload', permanent, /400 invalid_payload/],
    [400, `something with ${secret}`, transient, /\(400\)/],
    [408, '', transient, /408/],
    [500, 'rollup_error', transient, /server error \(500\)/],
    [503, '<html>', transient, /server error \(503\)/],
    [302, '', transient, /other than Slack/],
    [200, '<html>Sign in</html>', transient, /other than Slack/],
    [429, 'rate_limited', transient, /too many/],
  ] as const)('with %i %s', async (status, body, expected, sentence) => {
    const { channel, state } = await slack({ status, body, headers: { location: '/elsewhere' } })
    const error = await catchError(channel.send(message))
    expect(error).toMatchObject(expected)
    expect(error.message).toMatch(sentence)
    expect(state.posted).toHaveLength(1)
  })

  test('says when to retry, in seconds or as a date', async () => {
    const { channel, state } = await slack({ status: 429, headers: { 'retry-after': '7' } })
    expect((await catchError(channel.send(message))).retryAfterMs).toBe(7_000)
    state.usual = { status: 503, headers: { 'retry-after': new Date(Date.now() + 90_000).toUTCString() } }
    const { retryAfterMs } = await catchError(channel.send(message))
    expect(retryAfterMs).toBeGreaterThan(80_000)
    expect(retryAfterMs).toBeLessThanOrEqual(90_000)
  })
})

test('gives up a hanging service in time and an unreachable one at once', async () => {
  const { channel, state } = await slack('hang', 150)
  expect((await catchError(channel.send(message))).message).toBe('Slack did not respond within 1 s.')
  state.usual = 'break'
  expect((await catchError(channel.send(message))).message).toMatch(/cannot be reached: UND_ERR_SOCKET/)
  const unreachable = openSlack({ url: `http://127.0.0.1:1${secret}` })
  expect(await catchError(unreachable.send(message))).toMatchObject({
    isPermanent: false,
    retryAfterMs: null,
  })
  await unreachable.close()
})

test('stops with the reason of the abort signal', async () => {
  const { channel } = await slack('hang')
  const stop = new AbortController()
  const sending = channel.send(message, stop.signal)
  await sleep(20)
  stop.abort(new Error('enough'))
  await expect(sending).rejects.toThrow('enough')
})
