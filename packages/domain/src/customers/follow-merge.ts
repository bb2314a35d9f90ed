import {
  type Condition,
  createTest,
  type Operator,
  replaceConditions,
  toComparable,
} from '@kustos/contract/grid'
import { customers } from '@kustos/database/tables'
import type { AuditTransaction } from '../platform/audit.ts'
import { rewriteViews } from '../platform/rewrite-views.ts'

interface Merge {
  readonly from: string
  readonly into: string
}

/** Makes saved views that filter by a merged customer filter by the one that stays, once the other one is gone. */
export async function rewriteCustomerViews(
  tx: AuditTransaction,
  { from, into }: Merge,
  merge: string,
): Promise<void> {
  const rows = await tx.db.select({ code: customers.code }).from(customers)
  const others = rows.map(({ code }) => code).filter((code) => code !== into)
  await rewriteViews(
    tx,
    ['customer', 'f.code'],
    (list, query) => {
      // The log has filters of its own.
      if (list === 'logs')
        return query.map(([name, value]): [string, string] => [
          name,
          name === 'customer' && value === from ? into : value,
        ])
      const key = list === 'customers' ? 'code' : 'customer'
      return replaceConditions(query, { key, kind: 'text' }, (condition) =>
        followMerge(condition, { from, into }, others),
      )
    },
    { merge },
  )
}

/**
 * A condition that was met by the merged customer alone, or by all but it, then is one about the other customer. Any other one still
 * says what it says. Regular expressions stay: one may take forever.
 * @param others the codes of all other customers
 */
function followMerge(condition: Condition, { from, into }: Merge, others: readonly string[]): Condition {
  const { operator, values } = condition
  const isExclusion = operator.startsWith('not-')
  const namedBy = (value: string | undefined) => {
    const test = value === undefined ? null : createTest({ kind: 'text' }, { operator, values: [value] })
    return (code: string) => test?.of === 'lowered' && test.matches(toComparable(code)) !== isExclusion
  }
  const isNamed = namedBy(values[0])
  if (!isNamed(from) || isNamed(into) || others.some(isNamed)) return condition
  const exact: Operator = isExclusion ? 'not-equals' : 'equals'
  return { operator: others.some(namedBy(into)) ? exact : operator, values: [into] }
}
