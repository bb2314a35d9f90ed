import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { ChannelFailures } from './channel-failures.ts'
import type { MessageStore } from './store.ts'

const maxBytes = 1024 * 1024

const smtpError = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode })

/** Receives mails over SMTP for any recipient except `nobody@…`, who is unknown. */
export async function startMailServer(store: MessageStore, failures: ChannelFailures, address: string) {
  const server = new SMTPServer({
    name: 'mail.kustos.test',
    banner: 'Kustos sandbox',
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: maxBytes,
    closeTimeout: 500,
    onMailFrom(_address, _session, done) {
      const failure = failures.next('mail')
      if (failure === null) return done()
      done(
        smtpError(failure.answer === 'down' ? 421 : failure.answer, 'The sandbox was told to refuse mails'),
      )
    },
    onRcptTo({ address }, _session, done) {
      if (/^nobody@/i.test(address)) return done(smtpError(550, '5.1.1 No such user here'))
      done()
    },
    onData(stream, { envelope }, done) {
      const receive = async () => {
        const chunks: Buffer[] = []
        for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
        if (stream.sizeExceeded) throw smtpError(552, 'The mail is too large')
        const { subject = '', text, html = '' } = await PostalMime.parse(Buffer.concat(chunks))
        for (const { address } of envelope.rcptTo)
          store.add({ channel: 'mail', recipient: address, subject, text: (text ?? html).trim() })
      }
      receive().then(() => done(), done)
    },
  })
  // A sender may disconnect at any time.
  server.on('error', () => undefined)
  server.listen(0, address)
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
