import { describe, expect, onTestFinished, test } from 'vitest'
import { openTelegram } from '../src/telegram/telegram.ts'
import { type HttpReply, startHttpReceiver } from './channel-receivers.ts'
import { catchDeliveryError } from './delivery-failure.ts'

const token = '123456:secret-Token_x'
const accepted: HttpReply = { status: 200, body: JSON.stringify({ ok: true, result: { message_id: 1 } }) }

const refuse = (status: number, description: string, parameters?: object): HttpReply => ({
  status,
  body: JSON.stringify({ ok: false, error_code: status, description, parameters }),
})

async function telegram(usual: HttpReply = accepted, { chat = '-1001', timeoutMs = 5_000 } = {}) {
  const receiver = await startHttpReceiver(usual)
  const channel = openTelegram({ url: `${receiver.origin}/`, token, chat, timeoutMs })
  onTestFinished(async () => {
    await channel.close()
    await receiver.stop()
  })
  return { channel, state: receiver.state }
}

const message = { title: 'a.test is down: 503', lines: ['Customer: ALPEN'], url: 'https://kustos.test/a?b&c' }

const catchError = (sending: Promise<void>) => catchDeliveryError(sending, [token, 'secret-Token'])

test('sends to the chat, with the title in bold and no preview of the link', async () => {
  const { channel, state } = await telegram()
  await channel.send(message)
  expect(state.posted).toHaveLength(1)
  expect(state.posted[0]).toMatchObject({ path: `/bot${token}/sendMessage` })
  expect(state.posted[0]?.body).toEqual({
    chat_id: -1001,
    text: '<b>a.test is down: 503</b>\nCustomer: ALPEN\nhttps://kustos.test/a?b&amp;c',
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  })
})

test('accepts the name of a chat', async () => {
  const { channel, state } = await telegram(accepted, { chat: '@agency_alerts' })
  await channel.send(message)
  expect(state.posted[0]?.body.chat_id).toBe('@agency_alerts')
})

test('escapes HTML', async () => {
  const { channel, state } = await telegram()
  await channel.send({ title: '<a href="x">müller.test</a>\n& co', lines: ['<b>&"', 'ends\r\nhere'] })
  expect(state.posted[0]?.body.text).toBe(
    '<b>&lt;a href="x"&gt;müller.test&lt;/a&gt; &amp; co</b>\n&lt;b&gt;&amp;"\nends here',
  )
})

test('shortens a long text to 4,096 characters, not counting entities', async () => {
  const { channel, state } = await telegram()
  const lines = Array.from({ length: 100 }, (_, index) => `${index} ${'&'.repeat(60)}`)
  await channel.send({ ...message, lines })
  const read = String(state.posted[0]?.body.text)
    .replace(/<\/?b>/g, '')
    .replaceAll('&amp;', '&')
  expect(read.length).toBeLessThanOrEqual(4_096)
  expect(read.length).toBeGreaterThan(3_950)
  const shown = read.split('\n')
  expect(shown.at(-1)).toBe(message.url)
  expect(shown.at(-2)).toBe(`… and ${100 - (shown.length - 3)} more lines`)
})

describe('a refusal', () => {
  test.each([
    [refuse(400, 'Bad Request: chat not found'), true, /chat not found.*TELEGRAM_CHAT_ID/],
    [refuse(401, 'Unauthorized'), false, /TELEGRAM_BOT_TOKEN/],
    [refuse(404, 'Not Found'), false, /TELEGRAM_BOT_TOKEN/],
    [refuse(403, 'Forbidden: bot was kicked from the group chat'), true, /kicked/],
    [refuse(403, `no access by ${token}\nat all`), true, /no access by … at all/],
    [
      refuse(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: -1001234567890,
      }),
      true,
      /-1001234567890 into TELEGRAM_CHAT_ID/,
    ],
    [refuse(500, 'Internal Server Error'), false, /reported an error \(500: Internal Server Error\)/],
    [{ status: 502, body: '<html>Bad Gateway</html>' }, false, /server error \(502\)/],
    [{ status: 200, body: '<html>Sign in</html>' }, false, /other than Telegram/],
    [{ status: 200, body: '[]' }, false, /other than Telegram/],
  ] as const)('%o', async (reply, isPermanent, sentence) => {
    const { channel } = await telegram(reply)
    const error = await catchError(channel.send(message))
    expect(error).toMatchObject({ isPermanent, retryAfterMs: null })
    expect(error.message).toMatch(sentence)
  })

  test('says when to retry', async () => {
    const { channel } = await telegram(refuse(429, 'Too Many Requests: retry after 35', { retry_after: 35 }))
    expect(await catchError(channel.send(message))).toMatchObject({
      isPermanent: false,
      retryAfterMs: 35_000,
    })
  })
})

test('gives up a hanging service in time', async () => {
  const { channel } = await telegram('hang', { timeoutMs: 150 })
  expect((await catchError(channel.send(message))).message).toBe('Telegram did not respond within 1 s.')
})
