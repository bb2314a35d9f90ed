import {
  type ColumnFilter,
  type Condition,
  compileCondition,
  gridStateToQuery,
  initialGridState,
} from '@kustos/contract/grid'
import { pastSupport, type Web, webColumns, webStatus } from '@kustos/contract/webs'

/** Certificates that end within this many days are counted, and those that have ended already. */
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

/** Whole days, so that the list behind the figure filters by the very same condition. */
const certificatesUntil = (now: Date): ColumnFilter => ({
  column: 'cert_expiration',
  join: 'all',
  conditions: [{ operator: '≤', values: [dayAfter(now, certificateDays)] }],
})

const dayAfter = (now: Date, days: number) =>
  new Date(now.getTime() + days * 24 * 3_600_000).toISOString().slice(0, 10)

function counted(webs: readonly Web[], filters: readonly ColumnFilter[]): number {
  const tests = filters.flatMap(({ column: key, conditions }) => {
    const column = webColumns.columns.find((known) => known.key === key)
    if (column === undefined) throw new Error(`The web list has no column ${key}`)
    return conditions.flatMap((condition: Condition) => {
      const holds = compileCondition(column, condition)
      return holds ? [(web: Web) => holds(column.value(web))] : []
    })
  })
  return webs.filter((web) => tests.every((test) => test(web))).length
}

/** What the dashboard says of the inventory. */
export function figuresOf(webs: readonly Web[], now: Date): Figures {
  return {
    webs: webs.length,
    inactive: counted(webs, [inactive]),
    certificates: counted(webs, [certificatesUntil(now)]),
    framework: counted(webs, pastSupport(now)),
  }
}

/** The shown sets, and the one with what these figures are about. */
const withSystem = ['node', 'customer', 'status', 'system']

const listWith = (filters: readonly ColumnFilter[], sets: readonly string[] | null) =>
  `/hosting?${new URLSearchParams(gridStateToQuery({ ...initialGridState, filters, sets }).map(([name, value]) => [name, value]))}`

/** The lists behind the figures. */
export const figureLinks = (now: Date): Readonly<Record<keyof Figures, string>> => ({
  webs: '/hosting',
  inactive: listWith([inactive], null),
  certificates: listWith([certificatesUntil(now)], withSystem),
  framework: listWith(pastSupport(now), withSystem),
})
