import type { ColumnFilter } from '../grid/conditions.ts'

/**
 * When support of TYPO3 versions ends: https://get.typo3.org/api/v1/major/, read in August 2026. The API leaves out those before 7: their
 * dates are of 6.2 and 4.5, which were supported longest, as typo3.org announced them. There was no 5.
 */
const typo3: Readonly<Record<number, { community: string; elts: string }>> = {
  14: { community: '2029-06-30', elts: '2032-06-30' },
  13: { community: '2027-12-31', elts: '2030-12-31' },
  12: { community: '2026-04-30', elts: '2029-04-30' },
  11: { community: '2024-10-31', elts: '2027-10-31' },
  10: { community: '2023-04-30', elts: '2026-04-30' },
  9: { community: '2021-09-30', elts: '2024-09-30' },
  8: { community: '2020-03-31', elts: '2024-03-31' },
  7: { community: '2018-12-01', elts: '2022-11-30' },
  6: { community: '2017-04-18', elts: '2019-03-31' },
  4: { community: '2015-03-31', elts: '2016-03-31' },
}

/** `ending` in the last six months of community support; `extended` is paid support. */
export type Support = 'supported' | 'ending' | 'extended' | 'ended'

const sixMonths = 182 * 24 * 3600 * 1000
/** Includes the last day. */
const endOf = (day: string) => Date.parse(`${day}T23:59:59.999Z`)

const supportFilter = (...values: Support[]): ColumnFilter => ({
  column: 'framework_support',
  join: 'all',
  conditions: [{ operator: 'any-of', values }],
})

/** The filter of the web list for frameworks without free support. */
export const outOfSupportFilter = supportFilter('extended', 'ended')
/** The same for those without any. */
export const endOfLifeFilter = supportFilter('ended')

/** When all support of the TYPO3 versions ends, even the paid one, by major version: ISO times. */
export const typo3SupportEnds: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(typo3).map(([major, { elts }]) => [major, new Date(endOf(elts)).toISOString()]),
)

/** @returns null for unknown frameworks and versions */
export function frameworkSupport(
  name: string | null,
  version: string | null,
  now: Date,
): { support: Support; until: string } | null {
  if (name?.toLowerCase() !== 'typo3') return null
  const major = Number(/^v?(\d+)(\.|$)/i.exec(version?.trim() ?? '')?.[1])
  const ends = typo3[major]
  if (ends === undefined) return null
  const at = now.getTime()
  if (at > endOf(ends.elts)) return { support: 'ended', until: ends.elts }
  if (at > endOf(ends.community)) return { support: 'extended', until: ends.elts }
  if (at > endOf(ends.community) - sixMonths) return { support: 'ending', until: ends.community }
  return { support: 'supported', until: ends.community }
}
