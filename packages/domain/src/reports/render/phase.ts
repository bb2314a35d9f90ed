import { storedVerdict } from '@kustos/contract/tracker-storage'
import {
  type ConsentPhase,
  hasCollected,
  maxRequestedHosts,
  type RequestedHost,
  type StoredItem,
  type TrackingVisit,
} from '@kustos/contract/tracking'
import { formatLifetime, imageType } from './format.ts'
import { html, type Markup, quote, trusted } from './html.ts'
import { categoryOf, isOwnHost, serviceName, storageOwner } from './names.ts'
import { isElsewhere, nameStop } from './stops.ts'
import { renderTable } from './table.ts'
import type { ReportView } from './view.ts'

/** What happened in a phase: requests, storage, consent signals, and a screenshot. */
export function renderPhase(view: ReportView, visit: TrackingVisit, phase: ConsentPhase): Markup {
  const isOfPhase = (seen: { readonly phase: ConsentPhase }) => seen.phase === phase
  // Otherwise that nothing was seen does not say that there was nothing.
  const isWhole = hasCollected(visit, phase)
  return html`<section><h2>${view.texts.phases[phase]}</h2>
${renderRequests(view, visit, visit.asked.filter(isOfPhase), isWhole)}
${renderStorage(view, visit.stored?.filter(isOfPhase) ?? null, isWhole)}
${renderSignals(view, visit.signals?.filter(isOfPhase) ?? [])}
${(visit.tcf ?? []).filter(isOfPhase).map((consent) => renderTcf(view, consent))}
${(visit.screenshots ?? []).filter(isOfPhase).map((screenshot) => renderScreenshot(view, screenshot))}</section>`
}

function renderRequests(
  { texts, record }: ReportView,
  visit: TrackingVisit,
  hosts: readonly RequestedHost[],
  isWhole: boolean,
) {
  const { requests: words } = texts
  const isOwn = ({ host }: RequestedHost) => isOwnHost(host, record.web.fqdn)
  const rows = [...hosts]
    .sort((a, b) => Number(isOwn(a)) - Number(isOwn(b)))
    .map((host) => [
      quote(host.host),
      describeService(words, host, isOwn(host)),
      host.requests,
      html`${quote(host.url)}${
        host.initiator !== null &&
        html`<br><span class="dim">${words.loadedBy}</span> ${quote(host.initiator)}`
      }${
        isElsewhere(host.stop) &&
        html`<br><span class="dim">${words.seenOn}</span> ${nameStop(texts.visited, host.stop)}`
      }`,
    ])
  const columns = [
    { label: words.host, width: 24 },
    { label: words.service, width: 22 },
    { label: words.count, width: 9 },
    { label: words.first, width: 45 },
  ]
  return html`<h3>${words.heading}</h3>${
    rows.length > 0 ? renderTable(columns, rows) : html`<p>${isWhole ? words.none : words.noneSeen}</p>`
  }${visit.asked.length >= maxRequestedHosts && html`<p class="dim">${words.limited(maxRequestedHosts)}</p>`}`
}

function describeService(
  words: ReportView['texts']['requests'],
  host: RequestedHost,
  isOwn: boolean,
): Markup {
  const { ids, verdict, alias } = host
  const name = serviceName(host) ?? (isOwn ? words.own : null)
  const category = categoryOf(words.categories, host)
  return html`${name ?? '–'}${category !== null && ` (${category})`}${
    alias !== undefined && html`<br><span class="dim">${words.aliasOf}</span> ${quote(alias)}`
  }${ids.map((id) => html`<br>${quote(id)}`)}${
    verdict === 'violation' && html`<br><span class="flag">${words.violation}</span>`
  }${verdict === 'denied' && html`<br>${words.denied}`}${verdict === 'review' && html`<br>${words.review}`}`
}

function renderStorage(
  { texts: { storage }, language }: ReportView,
  items: readonly StoredItem[] | null,
  isWhole: boolean,
) {
  const nothing = isWhole ? storage.none : storage.noneSeen
  const lifetimeOf = ({ kind, lifetime }: StoredItem) => {
    if (lifetime !== null) return formatLifetime(lifetime, language)
    return kind === 'cookie' || kind === 'session_storage' ? storage.session : storage.untilDeleted
  }
  const columns = [
    { label: storage.kind, width: 14 },
    { label: storage.name, width: 26 },
    { label: storage.host, width: 20 },
    { label: storage.lifetime, width: 15 },
    { label: storage.setBy, width: 25 },
  ]
  const rows = (items ?? []).map((item) => [
    storage.kinds[item.kind] ?? item.kind,
    describeStored(storage, item),
    quote(item.host),
    lifetimeOf(item),
    item.set_by === null ? '–' : quote(item.set_by),
  ])
  return html`<h3>${storage.heading}</h3>${
    rows.length > 0 ? renderTable(columns, rows) : html`<p>${items === null ? storage.notRead : nothing}</p>`
  }`
}

/** Its name, and whose it is where that counts. */
function describeStored(words: ReportView['texts']['storage'], item: StoredItem): Markup {
  const verdict = storedVerdict(item)
  const owner = storageOwner(item)
  return html`${quote(item.name)}${owner !== null && html`<br>${owner}`}${
    verdict === 'violation' && html`<br><span class="flag">${words.violation}</span>`
  }${verdict === 'review' && html`<br>${words.review}`}`
}

function renderSignals({ texts: { signals } }: ReportView, sent: NonNullable<TrackingVisit['signals']>) {
  if (sent.length === 0) return null
  const columns = [
    { label: signals.host, width: 50 },
    { label: signals.signal, width: 15 },
    { label: signals.value, width: 35 },
  ]
  const rows = sent.map(({ host, signal, value }) => [quote(host), signal, quote(value)])
  return html`<h3>${signals.heading}</h3>${renderTable(columns, rows)}`
}

function renderTcf({ texts }: ReportView, consent: NonNullable<TrackingVisit['tcf']>[number]): Markup {
  const { tcf: words } = texts
  const list = (numbers: readonly number[]) => (numbers.length === 0 ? texts.none : numbers.join(', '))
  return html`<h3>${words.heading}</h3><dl>
<dt>${words.cmp}</dt><dd>${`${consent.cmp_id}, ${consent.cmp_version}`}</dd>
<dt>${words.purposes}</dt><dd>${list(consent.purposes)}</dd>
<dt>${words.interests}</dt><dd>${list(consent.legitimate_interests)}</dd>
<dt>${words.vendors}</dt><dd>${consent.vendors}</dd>
<dt>${words.string}</dt><dd>${quote(consent.tc_string)}</dd></dl>`
}

function renderScreenshot(
  { texts: { screenshot: words, phases }, images }: ReportView,
  { phase, sha256 }: NonNullable<TrackingVisit['screenshots']>[number],
): Markup {
  const content = images.get(sha256)
  const type = content && imageType(content)
  const alt = words.alt(phases[phase])
  return html`<figure>${
    content && type
      ? html`<img alt="${alt}" src="${trusted(`data:${type};base64,${content.toString('base64')}`)}">`
      : html`<p>${words.missing}</p>`
  }<figcaption>${alt}. SHA-256 ${quote(sha256)}</figcaption></figure>`
}
