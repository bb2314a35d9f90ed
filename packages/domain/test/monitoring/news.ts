import type { ReportingChannel } from '@kustos/contract/webs'
import type { IncidentOpened, IncidentResolved, RoundNews } from '../../src/monitoring/alerts/index.ts'

const startedAt = new Date('2026-11-20T10:00:20Z')

export interface Told {
  readonly fqdn?: string
  readonly customer?: string
  /** Its id; it is called node<id>. */
  readonly node?: number | null
  readonly channels?: readonly ReportingChannel[]
  readonly status?: number | null
  readonly reason?: string
  readonly startedAt?: Date
}

/** A web that fell, as it is told of in a test; all else about it follows from its number. */
export const fell = (id: number, told: Told = {}): IncidentOpened => ({
  incident: 1_000 + id,
  web: {
    id,
    fqdn: told.fqdn ?? `web${id}.test`,
    customer: told.customer ?? `CUSTOMER${id}`,
    node: told.node === null ? null : { id: told.node ?? id, name: `node${told.node ?? id}` },
    channels: told.channels ?? ['slack'],
  },
  startedAt: told.startedAt ?? startedAt,
  status: told.status === undefined ? 503 : told.status,
  reason: told.reason ?? 'the server answers with status 503',
})

/** @param downtime in seconds */
export const rose = (id: number, downtime = 720, told: Told = {}): IncidentResolved => ({
  ...fell(id, told),
  endedAt: new Date(startedAt.getTime() + downtime * 1000),
  downtime,
})

export const newsOf = (news: Partial<RoundNews>): RoundNews => ({
  opened: [],
  resolved: [],
  nodes: new Map(),
  ...news,
})

export const numbers = (count: number, from = 1): number[] =>
  Array.from({ length: count }, (_, index) => from + index)
