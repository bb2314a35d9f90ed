import { formatTime } from '@kustos/contract/grid'
import type { ReportingChannel } from '@kustos/contract/webs'
import type { AlertContent, AlertEvent } from '@kustos/database/tables'
import type { AlertedWeb } from './event.ts'

/** A message, and the channels of the webs that it is about. */
export interface ComposedAlert {
  readonly content: AlertContent
  readonly channels: readonly ReportingChannel[]
  /** Ids of `alert_channels` that get it besides. */
  readonly to?: readonly number[]
  /** The mail addresses of users who get it besides. */
  readonly mails?: readonly string[]
  /** Whether only these get it, and not the subscribers. */
  readonly isRoutedOnly?: true
  /** The ids of the incidents that it is about, in whose timelines it appears. */
  readonly incidents?: readonly number[]
  /** The same for machines. */
  readonly event?: AlertEvent
}

/** From this number of certificates on, one message lists them. */
export const minListed = 3

/** Webs or customers in one message. */
const maxNamed = 20

/** The first of them, and how many more there are. */
export const truncateList = (lines: readonly string[]): readonly string[] =>
  lines.length <= maxNamed ? lines : [...lines.slice(0, maxNamed), `… and ${lines.length - maxNamed} more`]

export function formatCustomers(webs: readonly AlertedWeb[]): string {
  const customers = [...new Set(webs.map(({ customer }) => customer))]
  return `${customers.length === 1 ? 'Customer' : 'Customers'}: ${truncateList(customers).join(', ')}`
}

export const webDetails = ({ customer, node }: AlertedWeb): readonly string[] => [
  `Customer: ${customer}`,
  ...(node === null ? [] : [`Node: ${node.name}`]),
]

/** In Europe/Rome, as on the screens. */
export const formatMoment = (at: Date): string => formatTime(at.toISOString())

/** A message to all channels of its webs, and to whom routes add. */
export const toComposedAlert = (webs: readonly AlertedWeb[], content: AlertContent): ComposedAlert => ({
  content,
  ...targetsOf(webs),
})

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)]

/** All channels of what a message is about, and whom routes add. */
export function targetsOf(
  about: readonly Pick<AlertedWeb, 'channels' | 'routed'>[],
): Pick<ComposedAlert, 'channels' | 'to' | 'mails'> {
  const routed = about.flatMap((one) => one.routed ?? [])
  return {
    channels: distinct(about.flatMap(({ channels }) => channels)),
    ...(routed.length > 0 && {
      to: distinct(routed.flatMap(({ channels }) => channels)),
      mails: distinct(routed.flatMap(({ mails }) => mails)),
    }),
  }
}

/** Links to Kustos' screens, to be spread into a message; empty if its public URL is not configured. */
export function linksTo(publicUrl: string | null) {
  const link = (path: string) =>
    publicUrl === null ? {} : { url: `${publicUrl.replace(/\/+$/, '')}/monitoring${path}` }
  return {
    list: link('/webs'),
    web: ({ id, fqdn }: AlertedWeb) => link(`/webs/show/${id}/${encodeURIComponent(fqdn)}`),
    incident: (id: number) => link(`/incidents/${id}`),
    incidents: link('/incidents'),
  }
}

/** @returns whole seconds in at most two units, such as 2 h 5 min */
export function formatDuration(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ] as const
  const largest = units.findIndex(([, length]) => seconds >= length)
  if (largest === -1) return '0 s'
  // From ten minutes on, seconds are left out.
  const shown = units.slice(largest, seconds < 600 ? largest + 2 : Math.min(largest + 2, 3))
  let left = seconds
  return shown
    .flatMap(([name, length]) => {
      const whole = Math.floor(left / length)
      left -= whole * length
      return whole === 0 ? [] : [`${whole} ${name}`]
    })
    .join(' ')
}
