import {
  type ColumnFilter,
  createQueryEngine,
  emptyQuery,
  gridStateToQuery,
  initialGridState,
  labelGrid,
} from '@kustos/contract/grid'
import { endOfLifeFilter, outOfSupportFilter, type Web, webColumns, webStatus } from '@kustos/contract/webs'

/** Days before the expiry from which a certificate is counted. */
const certificateDays = 14

const inactive: ColumnFilter = {
  column: 'status',
  join: 'all',
  conditions: [{ operator: 'any-of', values: [String(webStatus.inactive)] }],
}

/** Whole days, so the linked list filters by exactly this condition. */
const certificatesUntil = (now: Date): ColumnFilter => ({
  column: 'cert_expiration',
  join: 'all',
  conditions: [{ operator: '≤', values: [dayAfter(now, certificateDays)] }],
})

const dayAfter = (now: Date, days: number) =>
  new Date(now.getTime() + days * 24 * 3_600_000).toISOString().slice(0, 10)

/** Without labels: the filters compare values. */
const { columns } = labelGrid(webColumns, { columns: {} }, 'en')

export function countFigures(webs: readonly Web[], now: Date) {
  const engine = createQueryEngine(webs, columns)
  const count = (filters: readonly ColumnFilter[]) => engine.query({ ...emptyQuery, filters }, []).length
  return {
    webs: webs.length,
    inactive: count([inactive]),
    certificates: count([certificatesUntil(now)]),
    framework: count([outOfSupportFilter]),
  }
}

/** Certificate and framework, with fewer of the usual column sets so that they are in sight. */
const withSystem = ['node', 'customer', 'system']

const listWith = (filters: readonly ColumnFilter[], sets: readonly string[] | null) =>
  `/hosting?${new URLSearchParams(gridStateToQuery({ ...initialGridState, filters, sets }))}`

export const figureLinks = (now: Date) => ({
  webs: '/hosting',
  inactive: listWith([inactive], null),
  certificates: listWith([certificatesUntil(now)], withSystem),
  framework: listWith([outOfSupportFilter], withSystem),
})

/** Webs whose framework is past its end of life, as what needs attention has them. */
export const endOfLifePath = listWith([endOfLifeFilter], withSystem)
