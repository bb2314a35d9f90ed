import {
  type ColumnFilter,
  type Condition,
  compileCondition,
  gridStateToQuery,
  initialGridState,
  labelGrid,
} from '@kustos/contract/grid'
import { pastSupport, type Web, webColumns, webStatus } from '@kustos/contract/webs'

/** Days before the expiry from which a certificate is counted. */
const certificateDays = 14

interface Figures {
  readonly webs: number
  readonly inactive: number
  readonly certificates: number
  readonly framework: number
}

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

function counted(webs: readonly Web[], filters: readonly ColumnFilter[]): number {
  const tests = filters.flatMap(({ column: key, conditions }) => {
    const column = columns.find((known) => known.key === key)
    if (column === undefined) throw new Error(`The web list has no column ${key}`)
    return conditions.flatMap((condition: Condition) => {
      const holds = compileCondition(column, condition)
      return holds ? [(web: Web) => holds(column.value(web))] : []
    })
  })
  return webs.filter((web) => tests.every((test) => test(web))).length
}

export function figuresOf(webs: readonly Web[], now: Date): Figures {
  return {
    webs: webs.length,
    inactive: counted(webs, [inactive]),
    certificates: counted(webs, [certificatesUntil(now)]),
    framework: counted(webs, pastSupport(now)),
  }
}

/** The default column sets and the one with certificate and framework. */
const withSystem = ['node', 'customer', 'status', 'system']

const listWith = (filters: readonly ColumnFilter[], sets: readonly string[] | null) =>
  `/hosting?${new URLSearchParams(gridStateToQuery({ ...initialGridState, filters, sets }))}`

export const figureLinks = (now: Date): Readonly<Record<keyof Figures, string>> => ({
  webs: '/hosting',
  inactive: listWith([inactive], null),
  certificates: listWith([certificatesUntil(now)], withSystem),
  framework: listWith(pastSupport(now), withSystem),
})
