import type { IncidentKind } from '@kustos/contract/monitoring'
import { type ReportingChannel, reportingChannels } from '@kustos/contract/webs'
import { customers, webs } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import type { RoutedTargets } from '../../alert-routes/index.ts'

export interface AlertedWeb {
  readonly id: number
  readonly fqdn: string
  readonly customer: string
  readonly node: { readonly id: number; readonly name: string } | null
  /** Where its messages go, besides the users who subscribed to them by mail. */
  readonly channels: readonly ReportingChannel[]
  /** Whom alert routes add. */
  readonly routed?: RoutedTargets | undefined
}

/** The columns of `AlertedWeb`, except its node. */
export const alertedWebColumns = {
  id: webs.id,
  fqdn: webs.fqdn,
  customer: webs.customer,
  // Those of the customer if the web names none.
  channels: sql<string>`coalesce(
    nullif(${webs.monitoring_web_reporting_channel}, ''),
    (select array_to_string(c.alert_channels, ',') from ${customers} c where c.code = ${webs.customer}),
    ''
  )`.mapWith((joined: string) => {
    const names = joined.split(',')
    return reportingChannels.filter((channel) => names.includes(channel))
  }),
}

/** An incident that has just been confirmed. */
export interface IncidentOpened {
  readonly incident: number
  readonly kind: IncidentKind
  /** The incident of several webs that it is a member of. */
  readonly outage: number | null
  readonly web: AlertedWeb
  /** Is the same for nodes that share an address; null without a node. */
  readonly host: string | null
  readonly startedAt: Date
  readonly status: number | null
  readonly reason: string
  /** Whether it was announced before, as another kind. */
  readonly isAgain?: boolean
}

/** An incident that has just ended, and whose beginning was announced. */
export interface IncidentResolved extends IncidentOpened {
  readonly endedAt: Date
  /** In whole seconds. */
  readonly downtime: number
  /** Seconds that do not count because nobody probed. */
  readonly unmonitored: number
}

interface ProbesOfHost {
  readonly probed: number
  readonly failed: number
  /** Webs of it that were announced shortly before. */
  readonly announced?: number
}

export interface RoundNotifications {
  /** The number of webs if every probe since the first of the incidents failed, while the controls responded. */
  readonly everything?: number | null
  /** Whether many others have just been announced. */
  readonly isFollowUp?: boolean
  readonly opened: readonly IncidentOpened[]
  readonly resolved: readonly IncidentResolved[]
  /**
   * By the host of nodes: of the webs that were probed there since the first of those in `opened` went down, how many there are
   * and how many failed. A host that dies amid a round has its good probes before.
   */
  readonly hosts: ReadonlyMap<string, ProbesOfHost>
}
