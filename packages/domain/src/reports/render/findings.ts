import type { Finding } from '@kustos/contract/tracking'
import { html, type Markup, quote } from './html.ts'
import { topicName } from './names.ts'
import { renderTable } from './table.ts'
import type { ReportView } from './view.ts'

/** What was found in code, containers and requests. */
export function renderFindings({ texts: { findings: words }, record }: ReportView): Markup | null {
  const { outcome, findings } = record.audit
  if (outcome === 'failed') return null
  const columns = [
    { label: words.service, width: 24 },
    { label: words.value, width: 26 },
    { label: words.host, width: 24 },
    { label: words.found, width: 26 },
  ]
  const rows = findings.map((finding) => [
    topicName(finding.topic),
    finding.value === null ? '–' : quote(finding.value),
    finding.domain === null ? '–' : quote(finding.domain),
    describeSources(words, finding),
  ])
  return html`<section><h2>${words.heading}</h2><p>${words.intro}</p>${
    rows.length === 0 ? html`<p>${words.none}</p>` : renderTable(columns, rows)
  }</section>`
}

function describeSources(words: ReportView['texts']['findings'], { evidence }: Finding): string {
  const sources = [...new Set(evidence.map(({ source }) => words.sources[source] ?? source))].join(', ')
  const waits = evidence.length > 0 && evidence.every(({ gated }) => gated)
  return waits ? `${sources} (${words.waits})` : sources
}
