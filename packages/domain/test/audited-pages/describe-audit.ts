import { storedVerdict } from '@kustos/contract/tracker-storage'
import type { RequestedHost } from '@kustos/contract/tracking'
import type { PageAudit } from '../../src/tracking/audit-page.ts'

/** Returns what an audit says of a page: what tracked without consent, what was found, and how the banner was answered. */
export function describeAudit({ visit, findings }: PageAudit): readonly string[] {
  const found = findings.map(({ topic, value }) => `found: ${topic} ${value ?? ''}`.trim())
  if (visit === null) return [...new Set(found)].sort()
  const answered = (['refused', 'accepted', 'withdrawn'] as const).flatMap((phase) => {
    const way = visit[phase]
    return way == null ? [] : [`${phase} by ${way.manager ?? 'its label'}`]
  })
  const asked = visit.asked.flatMap((one) => formatVerdict(one.verdict, `${one.phase}: ${nameOf(one)}`))
  const stored = (visit.stored ?? []).flatMap((item) =>
    formatVerdict(storedVerdict(item), `${item.phase}: ${item.entity ?? item.host} stores ${item.name}`),
  )
  return [...new Set([...found, ...answered, ...asked, ...stored])].sort()
}

/** Whether a sentence says that a page does without consent what needs it. */
export const accuses = (sentence: string): boolean => /^(before|refused|withdrawn): /.test(sentence)

const nameOf = ({ entity, host }: RequestedHost) => entity ?? host

const formatVerdict = (verdict: RequestedHost['verdict'], text: string): readonly string[] =>
  verdict === 'none' ? [] : [verdict === 'violation' ? text : `${verdict} ${text}`]
