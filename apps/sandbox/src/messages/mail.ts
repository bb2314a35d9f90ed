import { once } from 'node:events'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { loopback } from '../listening.ts'
import type { Health } from './health.ts'
import type { MessageStore } from './store.ts'

export interface MailServer {
  readonly port: number
  stop(): Promise<void>
}

const largest = 1024 * 1024

/** What SMTP says, with its code. */
const reply = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/** Takes mails over SMTP for whomever they are, but for `nobody@…`, whom no server knows. */
export async function startMailServer(store: MessageStore, health: Health): Promise<MailServer> {
  const server = new SMTPServer({
    name: 'mail.kustos.test',
    banner: 'Kustos sandbox',
    // On loopback, from a process of the same sandbox.
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: largest,
    closeTimeout: 500,
    onMailFrom(_address, _session, done) {
      const illness = health.suffer('mail')
      if (illness === null) return done()
      const code = illness.answer === 'down' ? 421 : illness.answer
      done(reply(code, 'The sandbox has been told to refuse mails'))
    },
    onRcptTo({ address }, _session, done) {
      if (/^nobody@/i.test(address)) return done(reply(550, '5.1.1 No such user here'))
      done()
    },
    onData(stream, { envelope }, done) {
      const receive = async () => {
        const chunks: Buffer[] = []
        for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
        if (stream.sizeExceeded) throw reply(552, 'The mail is too large')
        const { subject = '', text, html = '' } = await PostalMime.parse(Buffer.concat(chunks))
        for (const { address } of envelope.rcptTo)
          store.add({ channel: 'mail', recipient: address, subject, text: (text ?? html).trim() })
      }
      receive().then(
        () => done(),
        (error: Error) => done(error),
      )
    },
  })
  // Whoever sends may go away in the middle.
  server.on('error', () => undefined)
  server.listen(0, loopback)
  await once(server.server, 'listening')
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port')
  return {
    port: address.port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
