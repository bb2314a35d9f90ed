import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Message, type SandboxMessages, startMessages } from '../src/messages/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'kustos-messages-'))
let messages: SandboxMessages = await startMessages(folder)
afterAll(async () => {
  await messages.stop()
  await rm(folder, { recursive: true, force: true })
})

const buildUrl = (path: string) => new URL(path, messages.url.replace('localhost', '127.0.0.1'))
const listMessages = async () =>
  ((await (await fetch(buildUrl('/messages.json'))).json()) as { data: Message[] }).data
const setHealth = (channel: string, body: object) =>
  fetch(buildUrl(`/health/${channel}`), { method: 'PUT', body: JSON.stringify(body) })

beforeEach(async () => {
  expect((await fetch(buildUrl('/messages'), { method: 'DELETE' })).status).toBe(204)
})

const jsonHeaders = { 'content-type': 'application/json' }

describe('mail', () => {
  const send = (mail: object = {}) =>
    createTransport({ url: messages.mail.SMTP_URL, connectionTimeout: 2_000 }).sendMail({
      from: messages.mail.MAIL_FROM,
      to: 'verena@kustos.test',
      subject: 'Größer als „alles“ <b>',
      text: 'Die Seite löwen.test antwortet nicht.\n\nGrüße',
      ...mail,
    })

  test('is stored once per recipient with its subject and text', async () => {
    await send({ to: ['verena@kustos.test', 'lukas@kustos.test'] })
    expect(await listMessages()).toEqual(
      ['lukas@kustos.test', 'verena@kustos.test'].map((recipient) => ({
        id: expect.any(Number),
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        channel: 'mail',
        recipient,
        subject: 'Größer als „alles“ <b>',
        text: 'Die Seite löwen.test antwortet nicht.\n\nGrüße',
      })),
    )
  })

  test('to an unknown recipient is refused', async () => {
    await expect(send({ to: 'nobody@kustos.test' })).rejects.toMatchObject({ responseCode: 550 })
    expect(await listMessages()).toEqual([])
  })

  test('over the size limit is refused', async () => {
    await expect(send({ text: 'x'.repeat(2 * 1024 * 1024) })).rejects.toMatchObject({ responseCode: 552 })
  })

  test('can be set to fail a number of times', async () => {
    await setHealth('mail', { answer: 451, times: 2 })
    for (const _ of [1, 2]) await expect(send()).rejects.toMatchObject({ responseCode: 451 })
    await send()
    expect(await listMessages()).toHaveLength(1)
  })
})

describe('Slack', () => {
  const post = (body: unknown, path?: string) =>
    fetch(path === undefined ? messages.slack.SLACK_WEBHOOK_URL : buildUrl(path), {
      method: 'POST',
      headers: jsonHeaders,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const readReply = async (request: Promise<Response>) => {
    const response = await request
    return [response.status, await response.text()]
  }

  test('accepts text and decodes its entities and links like Slack', async () => {
    expect(await readReply(post({ text: 'A &lt;b&gt; &amp; <https://a.test/?x=1|Seite>' }))).toEqual([
      200,
      'ok',
    ])
    expect(await listMessages()).toMatchObject([
      { channel: 'slack', recipient: '#kustos', subject: null, text: 'A <b> & Seite (https://a.test/?x=1)' },
    ])
  })

  test.each([
    ['text that is not JSON', 'text', 400, 'invalid_payload'],
    ['a list', [], 400, 'invalid_payload'],
    ['no text', { text: ' ' }, 400, 'no_text'],
    ['too many attachments', { text: 'a', attachments: Array(101).fill({}) }, 400, 'too_many_attachments'],
  ])('rejects %s', async (_, body, status, text) => {
    expect(await readReply(post(body))).toEqual([status, text])
    expect(await listMessages()).toEqual([])
  })

  test.each([
    ['/services/T1/B0SANDBOX/x', 404, 'no_team'],
    ['/services/T0KUSTOS/B1/x', 404, 'no_service'],
    ['/services/T0KUSTOS/B0SANDBOX/x', 403, 'invalid_token'],
  ])('rejects the unknown webhook %s', async (path, status, text) => {
    expect(await readReply(post({ text: 'a' }, path))).toEqual([status, text])
  })

  test('can be set to fail and to break the connection', async () => {
    await setHealth('slack', { answer: 503 })
    expect((await post({ text: 'a' })).status).toBe(503)
    await setHealth('slack', { answer: 429, retry_after: 7 })
    const limited = await post({ text: 'a' })
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
    await setHealth('slack', { answer: 'down' })
    await expect(post({ text: 'a' })).rejects.toThrow('fetch failed')
    await setHealth('slack', { answer: 'ok' })
    expect((await post({ text: 'a' })).status).toBe(200)
    expect(await listMessages()).toHaveLength(1)
  })
})

describe('Telegram', () => {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_CHAT_ID: chat } = messages.telegram
  const call = async (body: object | string, path = `/bot${token}/sendMessage`) => {
    const response = await fetch(buildUrl(path), {
      method: 'POST',
      headers: jsonHeaders,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const reply = (await response.json()) as { description?: string; result?: { text: string } }
    return { status: response.status, ...reply }
  }
  const html = (text: string) => call({ chat_id: Number(chat), text, parse_mode: 'HTML' })

  test('accepts and renders HTML', async () => {
    const sent = await html(
      '<b>Weg</b>: a &lt; b &amp; &#252; <a href="https://a.test/?a&amp;b">mehr</a> &uuml;',
    )
    const text = 'Weg: a < b & ü mehr (https://a.test/?a&b) &uuml;'
    expect(sent).toMatchObject({ status: 200, ok: true, result: { message_id: expect.any(Number), text } })
    expect(await listMessages()).toMatchObject([{ channel: 'telegram', recipient: chat, text }])
  })

  test('accepts plain text literally, also from a form', async () => {
    expect(await call({ chat_id: chat, text: 'a < b' })).toMatchObject({ ok: true })
    const form = new URLSearchParams({ chat_id: chat, text: 'a & b' })
    expect((await fetch(buildUrl(`/bot${token}/sendMessage`), { method: 'POST', body: form })).status).toBe(
      200,
    )
    expect((await listMessages()).map(({ text }) => text)).toEqual(['a & b', 'a < b'])
  })

  test.each([
    ['a < b', 'Unsupported start tag "" at byte offset 2'],
    ['ü <h1>a</h1>', 'Unsupported start tag "h1" at byte offset 3'],
    ['<b>a', 'Can\'t find end tag corresponding to start tag "b"'],
    ['a</b>', 'Unexpected end tag at byte offset 1'],
    ['<b>a</i>', 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
  ])('rejects the HTML %s', async (text, reason) => {
    expect(await html(text)).toMatchObject({
      status: 400,
      error_code: 400,
      description: `Bad Request: can't parse entities: ${reason}`,
    })
  })

  test.each([
    [{}, 'chat_id is empty'],
    [{ chat_id: 1, text: 'a' }, 'chat not found'],
    [{ chat_id: chat }, 'message text is empty'],
    [{ chat_id: chat, text: '<b> </b>', parse_mode: 'HTML' }, 'message text is empty'],
    [{ chat_id: chat, text: 'x'.repeat(4097) }, 'message is too long'],
    [{ chat_id: chat, text: 'a', parse_mode: 'RTF' }, 'unsupported parse_mode'],
    ['no JSON', 'object expected as JSON'],
  ])('rejects a message (%#): %s', async (body, reason) => {
    expect(await call(body)).toMatchObject({
      ok: false,
      status: 400,
      error_code: 400,
      description: `Bad Request: ${reason}`,
    })
    expect(await listMessages()).toEqual([])
  })

  test('counts characters after parsing entities', async () => {
    expect(await html(`<b>${'&amp;'.repeat(4096)}</b>`)).toMatchObject({ ok: true })
    expect(await html('&amp;'.repeat(4097))).toMatchObject({ ok: false })
  })

  test('rejects other bots and methods', async () => {
    const body = { chat_id: chat, text: 'a' }
    const other = `/bot4711:${'A'.repeat(35)}/sendMessage`
    expect(await call(body, other)).toMatchObject({ status: 401, description: 'Unauthorized' })
    expect(await call(body, '/bot1:x/sendMessage')).toMatchObject({ status: 404 })
    expect(await call(body, `/bot${token}/deleteEverything`)).toMatchObject({ status: 404 })
  })

  test('can be set to fail', async () => {
    await setHealth('telegram', { answer: 429, retry_after: 3, times: 1 })
    expect(await html('a')).toMatchObject({ status: 429, ok: false, parameters: { retry_after: 3 } })
    expect(await html('a')).toMatchObject({ status: 200 })
  })
})

test.each([
  ['slack', { answer: 200 }],
  ['slack', { answer: 'well' }],
  ['slack', { answer: 503, times: 0 }],
  ['fax', { answer: 503 }],
])('rejects setting %s to %j', async (channel, body) => {
  expect((await setHealth(channel, body)).ok).toBe(false)
})

describe('the page', () => {
  const post = (text: string) =>
    fetch(messages.slack.SLACK_WEBHOOK_URL, {
      method: 'POST',
      headers: jsonHeaders,
      body: JSON.stringify({ text }),
    })

  test('shows the latest message first, as plain text', async () => {
    await post('first')
    await post('&lt;script src="x"&gt; & second')
    const response = await fetch(buildUrl('/'))
    const html = await response.text()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html).toContain('&lt;script src=&quot;x&quot;&gt; &amp; second')
    expect(html).not.toContain('<script')
    expect(html.indexOf('second')).toBeLessThan(html.indexOf('>first<'))
  })

  test('is restored after a restart at the same address, without truncated messages', async () => {
    await post('before')
    const { url } = messages
    await messages.stop()
    const file = join(folder, 'messages.jsonl')
    await writeFile(file, `${await readFile(file, 'utf8')}{"id":7,"at":`)
    messages = await startMessages(folder)
    expect(messages.url).toBe(url)
    await post('after')
    expect((await listMessages()).map(({ text }) => text)).toEqual(['after', 'before'])
  })

  test('keeps the latest thousand messages', async () => {
    for (let sent = 0; sent < 1_010; sent += 101)
      await Promise.all(Array.from({ length: 101 }, (_, i) => post(`number ${sent + i}`)))
    const all = await listMessages()
    expect(all).toHaveLength(1_000)
    expect(all.map(({ text }) => text)).not.toContain('number 0')
    expect(new Set(all.map(({ id }) => id)).size).toBe(1_000)
  })
})
