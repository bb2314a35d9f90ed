import { DeliveryError } from '../delivery/delivery.ts'
import { toOneLine } from '../delivery/message-text.ts'

/** Fields of nodemailer's errors, https://nodemailer.com/errors. */
interface Failure {
  readonly code?: string
  /** The status code of the server's reply. */
  readonly responseCode?: number
  readonly response?: string
  /** The last SMTP command. */
  readonly command?: string
  /** Node's code. */
  readonly originalCode?: string
}

/**
 * Explains why a mail was not taken. Only a server's refusal with 5xx is permanent; waiting mails are sent once other
 * faults, such as a wrong password, are corrected.
 * @param deadlineMs if it has passed
 */
export function toDeliveryError(
  error: unknown,
  { mask, deadlineMs }: { readonly mask: (text: string) => string; readonly deadlineMs: number | null },
): DeliveryError {
  const failure: Failure = error instanceof Error ? (error as Error & Failure) : {}
  const { code = 'EUNKNOWN', responseCode, response = '', command, originalCode } = failure
  const said = toOneLine(mask(response.slice(0, 1_000)), 200)
  if (deadlineMs !== null || code === 'ETIMEDOUT')
    return new DeliveryError(
      deadlineMs === null
        ? 'The mail server did not respond in time.'
        : `The mail server did not take the mail within ${deadlineMs / 1000} s.`,
    )
  // The reply to a sign-in may repeat the credentials.
  if (code === 'EAUTH' || code === 'ENOAUTH' || responseCode === 530)
    return new DeliveryError(
      `The mail server does not let Kustos sign in${responseCode === undefined ? '' : ` (${responseCode})`}. Check SMTP_URL.`,
    )
  const isDistrusted = /CERT|ALTNAME|UNABLE_TO/.test(originalCode ?? '')
  if (command === 'STARTTLS' || code === 'ETLS' || isDistrusted)
    return new DeliveryError(
      `The mail server offers no encryption that Kustos can trust (${originalCode ?? code}). Check its certificate, and the host in SMTP_URL.`,
    )
  if (responseCode !== undefined && (code === 'EENVELOPE' || code === 'EMESSAGE')) {
    const isPermanent = responseCode >= 500 && responseCode !== 503
    return new DeliveryError(`The mail server does not take the mail${isPermanent ? '' : ' now'}: ${said}`, {
      isPermanent,
    })
  }
  // The address is invalid, so nothing was sent.
  if (code === 'EENVELOPE') return new DeliveryError('This is not an e-mail address.', { isPermanent: true })
  if (responseCode !== undefined) return new DeliveryError(`The mail server reported an error: ${said}`)
  return new DeliveryError(`The mail server cannot be reached: ${originalCode ?? code}.`)
}
