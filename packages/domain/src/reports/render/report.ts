import type { ReportLanguage } from '@kustos/contract/reports'
import {
  type ConsentPhase,
  type CoveredStop,
  consentPhases,
  hasCollected,
  isImpossible,
  type TrackingVisit,
} from '@kustos/contract/tracking'
import { storedText } from '../../platform/stored-text.ts'
import type { ReportSource } from '../read-record.ts'
import type { AuditRecord, FullRecord } from '../record.ts'
import { renderFindings } from './findings.ts'
import { formatMoment } from './format.ts'
import { cut, escapeText, html, isolate, type Markup, quote, trusted } from './html.ts'
import { renderPhase } from './phase.ts'
import { isElsewhere, nameStop } from './stops.ts'
import { contentPolicy, style } from './style.ts'
import type { ReportTexts } from './texts.ts'
import { english } from './texts-english.ts'
import { german } from './texts-german.ts'
import { renderVerdict } from './verdict.ts'
import type { ReportView } from './view.ts'

const reportTexts: Readonly<Record<ReportLanguage, ReportTexts>> = { en: english, de: german }

/**
 * A report as an HTML document that loads nothing and runs nothing. Everything that a website has chosen is escaped.
 * @param keyId the key that signs the file; null if none does
 * @returns the same text for the same records, so that it is printed only once
 */
export function renderReport(
  { own, evidence, images }: ReportSource,
  language: ReportLanguage,
  keyId: string | null,
): string {
  const texts = reportTexts[language]
  const { record } = evidence
  const view: ReportView = { language, texts, record, images }
  const { visit } = record.audit
  const title = `${texts.title}: ${own.record.web.fqdn}`
  const body = html`<header>
<h1>${title}</h1>
<p class="dim">${formatMoment(own.record.recorded_at, language)} (${texts.facts.timezone})</p>
${renderFacts(view, own.record)}
</header>
${renderVerdict(view, own.record)}
${renderVisited(view)}
${visit && phasesOf(visit).map((phase) => renderPhase(view, visit, phase))}
${renderFindings(view)}
${renderLimits(view, describeProblems(record, language))}
${
  // It is what is done with a browser.
  visit && html`<section><h2>${texts.method.heading}</h2><p>${texts.method.text}</p></section>`
}
${renderProof(view, { own, evidence, images }, keyId)}`
  return `<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy.replaceAll('"', '&quot;')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeText(title)}</title>
${html`<style>${trusted(style)}</style>`.markup}
</head>
<body>
${body.markup}
</body>
</html>
`
}

function renderFacts(
  { texts, language, record: evidence }: ReportView,
  { web, number, software, ...record }: AuditRecord,
): Markup {
  const { facts } = texts
  const noBrowser = evidence.audit.outcome === 'failed' ? facts.nothingRead : facts.noBrowser
  const momentOf = (at: string) => `${formatMoment(at, language)} (${at})`
  const rows: readonly (readonly [string, string])[] = [
    [facts.web, web.fqdn],
    [facts.customer, web.customer],
    ...(record.started_at === undefined ? [] : [[facts.startedAt, momentOf(record.started_at)] as const]),
    [facts.auditedAt, momentOf(record.recorded_at)],
    [facts.by, `${software.name}, ${software.revision}`],
    [facts.browser, software.browser === null ? noBrowser : `Chromium ${software.browser}`],
    [facts.reason, record.requested ? facts.onDemand : facts.scheduled],
    [facts.record, String(number)],
  ]
  return html`<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

/** Those that were tested or in which something happened. */
function phasesOf(visit: TrackingVisit): readonly ConsentPhase[] {
  const { asked, stored = [], signals = [], tcf = [], screenshots = [] } = visit
  const seen = new Set([...asked, ...stored, ...signals, ...tcf, ...screenshots].map(({ phase }) => phase))
  return consentPhases.filter((phase) => phase === 'before' || seen.has(phase))
}

/** Nothing of a website that could not be audited was read. */
function renderVisited(view: ReportView): Markup | null {
  const { record, texts } = view
  const { visited } = texts
  const { visit, outcome, leads_to: leadsTo } = record.audit
  if (outcome === 'failed') return null
  return html`<section><h2>${visited.heading}</h2>
<p>${visited.page(record.web.fqdn)} ${leadsTo !== undefined && html`${visited.leadsTo} ${quote(leadsTo)}. `}${visit === null ? visited.static : visited.browser}</p>
${
  visit &&
  html`<p>${describeChoice(view, visit, 'refused')}
${describeChoice(view, visit, 'accepted')}
${visit.accepted && visit.withdrawn !== undefined && describeChoice(view, visit, 'withdrawn')}</p>${renderStops(view, visit.stops ?? [])}`
}</section>`
}

/** How a choice was made; otherwise whether there was no way, or the visit did not come to it. */
function describeChoice(
  { texts: { visited, verdict }, record }: ReportView,
  visit: TrackingVisit,
  choice: keyof ReportTexts['visited']['made'],
): string {
  const made = visit[choice]
  if (made != null) return visited.made[choice](wayOf(visited, made), hasCollected(visit, choice))
  const isComplete = record.audit.outcome === 'seen'
  return isImpossible(visit, choice, isComplete) ? visited.impossible[choice] : verdict.notTested[choice]
}

const renderStops = (
  { texts: { visited }, language }: ReportView,
  stops: NonNullable<TrackingVisit['stops']>,
) =>
  stops.length > 0 &&
  html`<p>${visited.stops}</p><ul>${stops.map(
    (stop) =>
      html`<li>${nameStop(visited, stop)}${
        stop.problem !== null &&
        html` (${isElsewhere(stop) ? visited.unopened : visited.incomplete} ${isolate(reasonOf(stop, language))})`
      }</li>`,
  )}</ul>`

const reasonOf = (
  { problem, problem_code: code, problem_params: params }: CoveredStop,
  language: ReportLanguage,
): string => storedText(problem ?? '', code === null ? null : { code, params: params ?? undefined }, language)

function wayOf(
  texts: ReportTexts['visited'],
  { manager, way }: NonNullable<TrackingVisit['refused']>,
): string {
  if (manager === null) return texts.anyButton
  return way === 'call' ? texts.call(cut(manager)) : texts.button(cut(manager))
}

/** In the language of the report where its catalogue has them, otherwise as they were stored. */
const describeProblems = (
  { audit: { problems, problem_codes: codes } }: FullRecord,
  language: ReportLanguage,
): readonly string[] => problems.map((sentence, index) => storedText(sentence, codes[index], language))

const renderLimits = ({ texts: { limits } }: ReportView, problems: readonly string[]): Markup =>
  html`<section><h2>${limits.heading}</h2>
${
  problems.length === 0
    ? html`<p>${limits.noProblems}</p>`
    : html`<p>${limits.problems}</p><ul>${problems.map((problem) => html`<li>${isolate(problem)}</li>`)}</ul>`
}
<p>${limits.general}</p><ul>${limits.always.map((limit) => html`<li>${limit}</li>`)}</ul></section>`

function renderProof(
  { texts: { proof } }: ReportView,
  { own, evidence }: ReportSource,
  keyId: string | null,
) {
  const screenshots = evidence.record.audit.visit?.screenshots ?? []
  const { previous } = own.record
  return html`<section><h2>${proof.heading}</h2>
<p>${proof.intro}</p>
<dl><dt>${proof.hash}</dt><dd>${quote(own.hash)}</dd>
${own.hash !== evidence.hash && html`<dt>${proof.evidenceHash}</dt><dd>${quote(evidence.hash)}</dd>`}
<dt>${proof.previous}</dt><dd>${previous === null ? proof.first : quote(previous)}</dd>
${
  screenshots.length > 0 &&
  html`<dt>${proof.images}</dt><dd>${screenshots.map(({ sha256 }) => html`${quote(sha256)}<br>`)}</dd>`
}</dl>
<p>${keyId === null ? proof.unsigned : `${proof.signed(keyId)} ${proof.check}`}</p></section>`
}
