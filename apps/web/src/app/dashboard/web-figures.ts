import {
  type ColumnFilter,
  type Condition,
  compileCondition,
  gridStateToQuery,
  initialGridState,
} from '@kustos/contract/grid'
import { frameworkSupport, type Web, webColumns, webStatus } from '@kustos/contract/webs'

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

function counted(webs: readonly Web[], filter: ColumnFilter): number {
  const column = webColumns.columns.find(({ key }) => key === filter.column)
  if (column === undefined) throw new Error(`The web list has no column ${filter.column}`)
  const tests = filter.conditions.flatMap((condition: Condition) => compileCondition(column, condition) ?? [])
  return webs.filter((web) => tests.every((test) => test(column.value(web)))).length
}

/** What the dashboard says of the inventory. */
export function figuresOf(webs: readonly Web[], now: Date): Figures {
  return {
    webs: webs.length,
    inactive: counted(webs, inactive),
    certificates: counted(webs, certificatesUntil(now)),
    framework: webs.filter(
      (web) => frameworkSupport(web.framework_name, web.framework_version, now)?.support === 'ended',
    ).length,
  }
}

const listWith = (filter: ColumnFilter, sets: readonly string[] | null) =>
  `/hosting?${new URLSearchParams(gridStateToQuery({ ...initialGridState, filters: [filter], sets }).map(([name, value]) => [name, value]))}`

/** The lists behind the figures that are a filter of the web list. */
export const figureLinks = (now: Date): Partial<Record<keyof Figures, string>> => ({
  webs: '/hosting',
  inactive: listWith(inactive, null),
  certificates: listWith(certificatesUntil(now), ['node', 'customer', 'status', 'system']),
})
