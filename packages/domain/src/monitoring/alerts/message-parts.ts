import { formatTime } from '@kustos/contract/grid'
import type { ReportingChannel } from '@kustos/contract/webs'
import type { AlertContent } from '@kustos/database/tables'
import type { AlertedWeb } from './event.ts'

/** A message, and the channels of the webs that it tells of. */
export interface Composed {
  readonly content: AlertContent
  readonly channels: readonly ReportingChannel[]
}

/** Webs or customers that one message names. */
const mostNamed = 20

/** The first of them, and how many more there are. */
export const truncateList = (lines: readonly string[]): readonly string[] =>
  lines.length <= mostNamed ? lines : [...lines.slice(0, mostNamed), `… and ${lines.length - mostNamed} more`]

export function customersOf(webs: readonly AlertedWeb[]): string {
  const customers = [...new Set(webs.map(({ customer }) => customer))]
  return `${customers.length === 1 ? 'Customer' : 'Customers'}: ${truncateList(customers).join(', ')}`
}

/** Whose a web is, and where it lies. */
export const place = ({ customer, node }: AlertedWeb): readonly string[] => [
  `Customer: ${customer}`,
  ...(node === null ? [] : [`Node: ${node.name}`]),
]

/** As staff read times elsewhere, in Europe/Rome. */
export const time = (at: Date): string => formatTime(at.toISOString())

/** A message that goes wherever one of its webs sends its own. */
export const messageOf = (webs: readonly AlertedWeb[], content: AlertContent): Composed => ({
  content,
  channels: [...new Set(webs.flatMap(({ channels }) => channels))],
})

/** Addresses of Kustos' own screens, to be spread into a message; nothing where nobody said where it is reached. */
export function linksTo(publicUrl: string | null) {
  const link = (path: string) =>
    publicUrl === null ? {} : { url: `${publicUrl.replace(/\/+$/, '')}/monitoring/webs${path}` }
  return {
    list: link(''),
    web: ({ id, fqdn }: AlertedWeb) => link(`/show/${id}/${encodeURIComponent(fqdn)}`),
  }
}

/**
 * A time as one says it: two units, such as 2 h 5 min, with the lesser one left out where it is none.
 * @param seconds whole ones
 */
export function formatDuration(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ] as const
  const largest = units.findIndex(([, length]) => seconds >= length)
  if (largest === -1) return '0 s'
  // Seconds count only where there are few of them.
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
