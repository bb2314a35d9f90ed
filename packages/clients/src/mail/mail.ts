import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import addressparser from 'nodemailer/lib/addressparser'
import type { Message } from '../delivery/delivery.ts'
import { toOneLine } from '../delivery/message-text.ts'
import { decodeCredential } from '../http/decode-credential.ts'
import { toDeliveryError } from './errors.ts'

export type Mail = ReturnType<typeof openMail>

interface OutgoingMail {
  readonly to: string
  readonly message: Message
  /** Goes into the Message-ID: so that a mail that is sent twice is recognized as one, and many servers deliver it once. */
  readonly id: string
}

export interface MailSettings {
  /** smtp://user:password@host:587 or smtps://…; the password is in no error. */
  readonly url: string
  /** Kustos <kustos@example.com> */
  readonly from: string
  /** Masks secrets in the server's own words. */
  readonly mask?: (text: string) => string
  /** Until the server has the text of a mail. */
  readonly timeoutMs?: number
  /** After that, until it accepts the mail. */
  readonly checkTimeoutMs?: number
}

/**
 * Each mail has a connection of its own, since they are few. Where a server elsewhere offers STARTTLS it is used. A
 * password leaves this machine encrypted or not at all.
 * @throws Error with a sentence for the operator where an address does not fit
 */
export function openMail({
  url,
  from,
  mask = (text) => text,
  timeoutMs = 10_000,
  // A server that looks for spam and viruses before it answers may take long, and would get a mail again that it accepts after all:
  // RFC 5321, 4.5.3.2.6 asks for ten minutes, but they would hold up other mails.
  checkTimeoutMs = 60_000,
}: MailSettings) {
  const server = serverOf(url)
  const [sender, ...others] = addressparser(from, { flatten: true })
  const host = /@([^@\s]+)$/.exec(sender?.address ?? '')?.[1]
  if (sender === undefined || host === undefined || others.length > 0)
    throw new Error('MAIL_FROM must look like Kustos <kustos@example.com>.')
  const options = {
    ...server,
    requireTLS: server.auth !== undefined && !server.secure && !isLoopback(server.host),
    // Relays on the machine itself offer it with certificates that nobody vouches for, and nobody listens on the way.
    ignoreTLS: isLoopback(server.host),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // The text of a mail comes from outside, so it must not be able to read files or addresses here.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const transport = createTransport({ ...options, socketTimeout: Math.max(timeoutMs, checkTimeoutMs) })
  const onTextSent = new WeakMap<AbortSignal, () => void>()
  transport.use('stream', ({ data: { signal }, message }, done) => {
    message.processFunc((text) => text.once('end', () => signal && onTextSent.get(signal)?.()))
    done()
  })
  return {
    /**
     * Signs in without sending anything.
     * @throws {DeliveryError} if the server cannot be used
     */
    async verify(): Promise<void> {
      try {
        await createTransport(options).verify()
      } catch (error) {
        throw toDeliveryError(error, { mask, deadlineMs: null })
      }
    },
    /**
     * Sends plain text to one address.
     * @throws {DeliveryError} if it was not taken; the signal's reason if it is aborted
     */
    async send({ to, message, id }: OutgoingMail, signal?: AbortSignal): Promise<void> {
      const late = new AbortController()
      const until = signal ? AbortSignal.any([signal, late.signal]) : late.signal
      let deadlineMs = timeoutMs
      let timer = setTimeout(() => late.abort(), deadlineMs)
      onTextSent.set(until, () => {
        clearTimeout(timer)
        if (until.aborted) return
        deadlineMs = checkTimeoutMs
        timer = setTimeout(() => late.abort(), deadlineMs)
      })
      try {
        await transport.sendMail({
          from: sender,
          // As an object it is one address, whatever it holds.
          to: { name: '', address: to },
          subject: toOneLine(message.title),
          text: textOf(message),
          messageId: `<${id}@${host}>`,
          // Out-of-office replies and the like are for people (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: until,
        })
      } catch (error) {
        signal?.throwIfAborted()
        throw toDeliveryError(error, { mask, deadlineMs: late.signal.aborted ? deadlineMs : null })
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** The title is the subject, and the text only if there is no other. */
function textOf({ title, lines, url }: Message): string {
  const body = (lines.length === 0 ? [title] : lines).map((line) => toOneLine(line))
  return [...body, ...(url === undefined ? [] : ['', url])].join('\n')
}

function serverOf(url: string) {
  // The error of `new URL` would repeat the address with its password.
  if (!URL.canParse(url)) throw new Error('SMTP_URL must look like smtp://user:password@host:587.')
  const { protocol, hostname, port, username, password, search } = new URL(url)
  if (hostname === '') throw new Error('SMTP_URL must name a host, such as in smtp://user:password@host:587.')
  if (search !== '') throw new Error('SMTP_URL takes no options after a question mark.')
  const secure = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(username !== '' && {
      auth: { user: decodeCredential(username), pass: decodeCredential(password) },
    }),
  }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
