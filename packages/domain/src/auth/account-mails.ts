import { formatTime } from '@kustos/contract/grid'
import type { AuditTransaction } from '../platform/audit.ts'

const path = '/settings'
const ifItWasNotYou =
  'If this was not you, change your password, end your other sessions in the settings, and tell an administrator.'

interface SignIn {
  readonly email: string
  readonly address: string
  readonly userAgent: string | undefined
}

/** Tells a user of a sign-in from a browser in which they have not signed in before. */
export const mailNewBrowser = (tx: AuditTransaction, { email, address, userAgent }: SignIn): Promise<void> =>
  tx.mail(
    email,
    {
      title: 'New sign-in to Kustos',
      lines: [
        `Someone has signed in as ${email} in a browser that was not used for that before.`,
        `Time: ${formatTime(tx.now().toISOString())}`,
        `Address: ${address}`,
        `Browser: ${userAgent ?? 'unknown'}`,
        ifItWasNotYou,
      ],
    },
    path,
  )

/** @param email the user's former one, if it has changed with the password: an intruder may have set the new one */
export const mailNewPassword = (tx: AuditTransaction, email: string): Promise<void> =>
  tx.mail(
    email,
    {
      title: 'Your Kustos password was changed',
      lines: [`The password of ${email} was changed. All other sessions were ended.`, ifItWasNotYou],
    },
    path,
  )

/** Tells the old address that it is no longer used. */
export const mailNewEmail = (tx: AuditTransaction, old: string, email: string): Promise<void> =>
  tx.mail(
    old,
    {
      title: 'Your Kustos e-mail was changed',
      lines: [
        `You now sign in as ${email} instead of ${old}.`,
        'If this was not you, tell an administrator.',
      ],
    },
    path,
  )

interface EmailRequest {
  readonly old: string
  readonly email: string
  readonly token: string
}

/** Asks the new address to confirm itself, and tells the old one. */
export async function mailEmailRequest(tx: AuditTransaction, { old, email, token }: EmailRequest) {
  await tx.mail(
    email,
    {
      title: 'Confirm your new Kustos e-mail',
      lines: [
        `Open this link within an hour to sign in as ${email} instead of ${old} from then on.`,
        'If you did not request this, ignore this mail.',
      ],
      isUrlSecret: true,
    },
    `${path}#email-change=${token}`,
  )
  await tx.mail(
    old,
    {
      title: 'A new e-mail was requested for your Kustos account',
      lines: [`${email} was asked to confirm that it replaces ${old}.`, ifItWasNotYou],
    },
    path,
  )
}
