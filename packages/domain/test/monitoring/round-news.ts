import type { ReportingChannel } from '@kustos/contract/webs'
import type {
  IncidentOpened,
  IncidentResolved,
  RoundNotifications,
} from '../../src/monitoring/alerts/index.ts'

const startedAt = new Date('2026-11-20T10:00:20Z')

export interface IncidentFields {
  readonly kind?: IncidentOpened['kind']
  readonly fqdn?: string
  readonly customer?: string
  /** The id of the node, which is named node<id>. */
  readonly node?: number | null
  /** That of the node alone by default. */
  readonly host?: string
  readonly outage?: number
  readonly channels?: readonly ReportingChannel[]
  readonly status?: number | null
  readonly reason?: string
  readonly startedAt?: Date
}

/** An opened incident; the fields that are left out follow from the web's id. */
export const incidentOpened = (id: number, fields: IncidentFields = {}): IncidentOpened => ({
  incident: 1_000 + id,
  kind: fields.kind ?? 'down',
  outage: fields.outage ?? null,
  web: {
    id,
    fqdn: fields.fqdn ?? `web${id}.test`,
    customer: fields.customer ?? `CUSTOMER${id}`,
    node: fields.node === null ? null : { id: fields.node ?? id, name: `node${fields.node ?? id}` },
    channels: fields.channels ?? ['slack'],
  },
  host: fields.node === null ? null : (fields.host ?? String(fields.node ?? id)),
  startedAt: fields.startedAt ?? startedAt,
  status: fields.status === undefined ? 503 : fields.status,
  reason: fields.reason ?? 'the server responded with status 503',
})

/** @param downtimeSeconds Its duration. */
export const incidentResolved = (
  id: number,
  downtimeSeconds = 720,
  fields: IncidentFields = {},
): IncidentResolved => ({
  ...incidentOpened(id, fields),
  endedAt: new Date(startedAt.getTime() + downtimeSeconds * 1000),
  downtime: downtimeSeconds,
  unmonitored: 0,
})

export const createNews = (news: Partial<RoundNotifications>): RoundNotifications => ({
  opened: [],
  resolved: [],
  hosts: new Map(),
  ...news,
})

export const numbers = (count: number, from = 1): number[] =>
  Array.from({ length: count }, (_, index) => from + index)
