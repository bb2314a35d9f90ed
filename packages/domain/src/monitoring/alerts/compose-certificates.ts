import type { AlertedWeb } from './event.ts'
import { type Composed, formatDuration, linksTo, messageOf, place, time, truncateList } from './parts.ts'

/** A certificate that ends soon or has ended. */
export interface Ending {
  readonly web: AlertedWeb
  readonly authority: string | null
  readonly end: Date
}

/** From this number on, one message lists them. */
const minListed = 3

/** @param endings in the order in which they are to be told */
export function composeCertificates(
  endings: readonly Ending[],
  now: Date,
  publicUrl: string | null,
): readonly Composed[] {
  const links = linksTo(publicUrl)
  const left = ({ end }: Ending) => Math.floor((end.getTime() - now.getTime()) / 1000)
  const hasEnded = (one: Ending) => left(one) <= 0
  const when = (one: Ending) => (hasEnded(one) ? 'has ended' : `ends in ${formatDuration(left(one))}`)
  if (endings.length < minListed)
    return endings.map((one) =>
      messageOf([one.web], {
        title: `The certificate of ${one.web.fqdn} ${when(one)}`,
        lines: [
          ...place(one.web),
          `End: ${time(one.end)}`,
          ...(one.authority === null ? [] : [`Issued by: ${one.authority}`]),
        ],
        ...links.web(one.web),
      }),
    )
  const ended = endings.filter(hasEnded).length
  const soon = endings.length - ended
  return [
    messageOf(
      endings.map(({ web }) => web),
      {
        title: [
          ...(ended > 0 ? [`Certificates that have ended: ${ended}`] : []),
          ...(soon > 0 ? [`Certificates that end soon: ${soon}`] : []),
        ].join('; '),
        lines: truncateList(
          endings.map((one) => `${one.web.fqdn} (${one.web.customer}): ${time(one.end)}, ${when(one)}`),
        ),
        ...links.list,
      },
    ),
  ]
}
