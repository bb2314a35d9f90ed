import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Mail, openMail } from '../src/mail/mail.ts'
import { startMailReceiver } from './channel-receivers.ts'
import { catchDeliveryError } from './delivery-failure.ts'

const from = 'Kustos <kustos@agency.test>'
const credentials = 'kustos:se%2Fcret@'

async function receiver(options: SMTPServerOptions = {}) {
  const started = await startMailReceiver(options)
  onTestFinished(() => started.stop())
  return {
    state: started.state,
    open: (before = '', host = '127.0.0.1') =>
      openMail({ url: `smtp://${before}${host}:${started.port}`, from, timeoutMs: 3_000 }),
  }
}

const mail = {
  to: 'staff@agency.test',
  message: {
    title: 'a.test is down: 503',
    lines: ['Customer: ALPEN', 'Node: node1'],
    url: 'https://kustos.test/monitoring/webs/show/1/a.test',
  },
  id: 'kustos-alert-1',
}

const catchError = (sending: Promise<void>) =>
  catchDeliveryError(sending, ['se/cret', 'se%2Fcret', Buffer.from('\0kustos\0se/cret').toString('base64')])

test('sends plain text to one address', async () => {
  const { state, open } = await receiver()
  await open().send(mail)
  expect(state.mails).toHaveLength(1)
  const [received] = state.mails
  expect(received).toMatchObject({ from: 'kustos@agency.test', to: ['staff@agency.test'] })
  expect(received?.text).toBe(
    'Customer: ALPEN\nNode: node1\n\nhttps://kustos.test/monitoring/webs/show/1/a.test',
  )
  expect(Object.fromEntries(received?.headers ?? [])).toMatchObject({
    from: from,
    to: 'staff@agency.test',
    subject: 'a.test is down: 503',
    'message-id': '<kustos-alert-1@agency.test>',
    'auto-submitted': 'auto-generated',
    'content-type': 'text/plain; charset=utf-8',
  })
})

test('preserves umlauts and markup', async () => {
  const { state, open } = await receiver()
  const title = 'bäckerei-müller.test ist 😀 weg – <b>&"'
  await open().send({ ...mail, message: { title, lines: ['Kunde: <b>&" ÄÖÜ', `x=3D ${'ß'.repeat(120)}`] } })
  expect(state.mails[0]?.headers.get('subject')).toBe(title)
  expect(state.mails[0]?.text).toBe(`Kunde: <b>&" ÄÖÜ\nx=3D ${'ß'.repeat(120)}`)
})

test('cannot inject headers or recipients by title or address', async () => {
  const { state, open } = await receiver()
  const title = 'a.test\r\nBcc: all@agency.test\r\n\r\nis down'
  await open().send({ ...mail, message: { title, lines: ['one\r\n.\r\nRCPT TO:<all@agency.test>'] } })
  expect(state.mails[0]?.headers.get('subject')).toBe('a.test Bcc: all@agency.test is down')
  expect(state.mails[0]?.headers.has('bcc')).toBe(false)
  expect(state.mails[0]?.text).toContain('one . RCPT TO:<all@agency.test>')
  for (const to of ['a@agency.test, b@agency.test', 'a@agency.test\r\nRCPT TO:<b@agency.test>', '', 'nobody'])
    expect(await catchError(open().send({ ...mail, to }))).toMatchObject({ isPermanent: true })
  expect(state.mails.map(({ to }) => to)).toEqual([['staff@agency.test']])
})

describe('a refusal', () => {
  const at = (event: 'onMailFrom' | 'onRcptTo', responseCode: number): SMTPServerOptions => ({
    [event]: (_address: unknown, _session: unknown, callback: (error: Error) => void) =>
      callback(Object.assign(new Error('not this one'), { responseCode })),
  })
  test.each([
    ['the sender with 451', at('onMailFrom', 451), false],
    ['the sender with 550', at('onMailFrom', 550), true],
    ['the recipient with 450, as greylisting does,', at('onRcptTo', 450), false],
    ['the recipient with 550', at('onRcptTo', 550), true],
    ['the sender with 530, before a sign-in,', at('onMailFrom', 530), false],
  ])('of %s', async (_, options, isPermanent) => {
    const { state, open } = await receiver(options)
    const error = await catchError(open().send(mail))
    expect(error.message).toMatch(/^The mail server does not/)
    expect(error.isPermanent).toBe(isPermanent)
    expect(state.mails).toEqual([])
  })

  test.each([
    [452, false],
    [554, true],
  ])('of the text with %i', async (responseCode, isPermanent) => {
    const { state, open } = await receiver()
    state.refusals.push({ responseCode, message: 'not now' })
    const error = await catchError(open().send(mail))
    expect(error.isPermanent).toBe(isPermanent)
    expect(error.message).toContain(`${responseCode} not now`)
    await open().send(mail)
    expect(state.mails).toHaveLength(1)
  })

  test('of the connection with 554 is not permanent', async () => {
    const { open } = await receiver({
      onConnect: (_session, callback) =>
        callback(Object.assign(new Error('your address is on a list'), { responseCode: 554 })),
    })
    const error = await catchError(open().send(mail))
    expect(error.isPermanent).toBe(false)
    expect(error.message).toMatch(/^The mail server .*address is on a list/)
  })
})

describe('a sign-in', () => {
  const passwords: string[] = []
  const requireSignIn = (accepts: boolean): SMTPServerOptions => ({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ password }, _session, callback) {
      passwords.push(password ?? '')
      if (accepts) callback(null, { user: 'kustos' })
      else callback(Object.assign(new Error('535 wrong: se/cret'), { responseCode: 535 }))
    },
  })

  test('uses the credentials of the URL', async () => {
    const { state, open } = await receiver(requireSignIn(true))
    await open(credentials).send(mail)
    expect(passwords.splice(0)).toEqual(['se/cret'])
    expect(state.mails).toHaveLength(1)
  })

  test('may have a percent sign in its password that encodes nothing', async () => {
    const { open } = await receiver(requireSignIn(true))
    await open('user:100%secret@').send(mail)
    expect(passwords.splice(0)).toEqual(['100%secret'])
  })

  test('that is refused is reported without the password', async () => {
    const { open } = await receiver(requireSignIn(false))
    const error = await catchError(open(credentials).send(mail))
    expect(error).toMatchObject({ isPermanent: false })
    expect(error.message).toBe('The mail server does not let Kustos sign in (535). Check SMTP_URL.')
    passwords.splice(0)
  })

  test('is not attempted without encryption on another machine', async () => {
    const { state, open } = await receiver({ ...requireSignIn(true), disabledCommands: ['STARTTLS'] })
    // Counts as another machine, although it is loopback.
    const error = await catchError(open(credentials, '[::ffff:127.0.0.1]').send(mail))
    expect(error.message).toMatch(/offers no encryption/)
    expect(error.isPermanent).toBe(false)
    expect(passwords).toEqual([])
    expect(state.mails).toEqual([])
  })
})

test('accepts an untrusted certificate on this machine only', async () => {
  const { state, open } = await receiver({ hideSTARTTLS: false })
  const error = await catchError(open('', '[::ffff:127.0.0.1]').send(mail))
  expect(error.message).toMatch(/no encryption that Kustos can trust \(\w*CERT\w*\)/)
  expect(state.mails).toEqual([])
  await open().send(mail)
  expect(state.mails).toHaveLength(1)
})

describe('a server that checks a mail for long before it accepts it', () => {
  const openChecking = async (checkTimeoutMs: number) => {
    const received: string[] = []
    const { port, stop } = await startMailReceiver({
      onData(stream, _session, callback) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.once('end', () => {
          received.push(Buffer.concat(chunks).toString())
          setTimeout(callback, 2_000)
        })
      },
    })
    onTestFinished(stop)
    const client = openMail({ url: `smtp://127.0.0.1:${port}`, from, timeoutMs: 1_000, checkTimeoutMs })
    return { client, received }
  }

  test('is waited for, so that it does not get the mail again', async () => {
    const { client, received } = await openChecking(30_000)
    await client.send(mail)
    expect(received).toHaveLength(1)
  })

  test('is not waited for without an end, and not once the call is aborted', async () => {
    const { client, received } = await openChecking(300)
    const error = await catchError(client.send(mail))
    expect(error.message).toMatch(/did not (respond in time|take the mail within 0.3 s)/)
    expect(error.isPermanent).toBe(false)
    const stop = new AbortController()
    const sending = client.send(mail, stop.signal)
    const aborted = expect(sending).rejects.toThrow('enough')
    await expect.poll(() => received).toHaveLength(2)
    stop.abort(new Error('enough'))
    await aborted
  })
})

describe('a mail fails in time if the server', () => {
  async function openHanging(greet: (socket: Socket) => void): Promise<Mail> {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      greet(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
      for (const socket of sockets) socket.destroy()
    })
    const { port } = server.address() as AddressInfo
    return openMail({ url: `smtp://127.0.0.1:${port}`, from, timeoutMs: 200 })
  }

  test.each([
    ['hangs after the connection', () => undefined],
    ['hangs after its greeting', (socket: Socket) => void socket.write('220 hello\r\n')],
    [
      'sends a byte now and then',
      (socket: Socket) => {
        const timer = setInterval(() => socket.write('2'), 50)
        socket.once('close', () => clearInterval(timer))
      },
    ],
  ])('%s', async (_, greet) => {
    const client = await openHanging(greet)
    const started = Date.now()
    const error = await catchError(client.send(mail))
    expect(Date.now() - started).toBeLessThan(1_500)
    expect(error.message).toMatch(/did not (respond in time|take the mail within 0.2 s)/)
    expect(error.isPermanent).toBe(false)
  })

  test('hangs and the call is aborted', async () => {
    const client = await openHanging(() => undefined)
    const stop = new AbortController()
    const sending = client.send(mail, stop.signal)
    await sleep(20)
    stop.abort(new Error('enough'))
    await expect(sending).rejects.toThrow('enough')
  })

  test('does not listen', async () => {
    const client = openMail({ url: 'smtp://127.0.0.1:1', from })
    expect((await catchError(client.send(mail))).message).toBe(
      'The mail server cannot be reached: ECONNREFUSED.',
    )
  })
})

test.each([
  ['smtp://user:secret@', from, /^SMTP_URL must/],
  ['smtp://user:secret@host:99999', from, /^SMTP_URL must/],
  ['smtp://user:secret@host/?pool=true', from, /^SMTP_URL takes no options/],
  ['smtp://host', 'Kustos', /^MAIL_FROM must/],
  ['smtp://host', 'a@b.test, c@d.test', /^MAIL_FROM must/],
])('rejects SMTP_URL %s with MAIL_FROM %s', (url, sender, sentence) => {
  expect(() => openMail({ url, from: sender })).toThrow(sentence)
  expect(() => openMail({ url, from: sender })).not.toThrow(/secret/)
})
