import type { TrackingData } from '@kustos/contract/webs'
import { fillTemplate, readAsset } from '../assets.ts'
import { escapeHtml } from '../html.ts'
import { pageScriptTags } from './page-scripts.ts'
import { linkTo } from './site-pages.ts'
import { trackerTags } from './tracker-tags.ts'

export interface HostedWeb {
  readonly fqdn: string
  readonly customer: string
  readonly framework: string | null
  readonly topics: readonly string[]
  readonly tracking: TrackingData | null
}

const template = readAsset(import.meta.url, 'page.html')

/**
 * A page of a web before its first deployment.
 * @param content of a further page; that of the front page by default
 */
export function renderSitePage(
  { fqdn, customer, framework, topics, tracking }: HostedWeb,
  content = frontPage(fqdn, topics),
): string {
  const trackers = [...(tracking === null ? [] : trackerTags(tracking)), ...pageScriptTags(fqdn)]
  return fillTemplate(template, {
    title: escapeHtml(formatTitle(fqdn)),
    generator: framework === null ? '' : `<meta name="generator" content="${escapeHtml(framework)}">`,
    trackers: trackers.join('\n    '),
    content,
    offers: linkTo(fqdn, 'angebote'),
    contact: linkTo(fqdn, 'kontakt'),
    fqdn: escapeHtml(fqdn),
    customer: escapeHtml(customer),
  })
}

const frontPage = (fqdn: string, topics: readonly string[]): string =>
  [
    '<h1>Herzlich willkommen</h1>',
    `<p>Schön, dass Sie da sind. Hier erfahren Sie, was es bei ${escapeHtml(formatTitle(fqdn))} Neues gibt.</p>`,
    ...topics.map((topic) => sections[topic] ?? ''),
  ].join('\n      ')

const sections: Readonly<Record<string, string>> = {
  booking: '<section><h2>Buchen</h2><p>Freie Tage finden und gleich anfragen.</p></section>',
  shop: '<section><h2>Shop</h2><p>Was uns schmeckt, kommt auch zu Ihnen nach Hause.</p></section>',
  newsletter: '<section><h2>Newsletter</h2><p>Viermal im Jahr, und sonst nichts.</p></section>',
  multilingual: '<p>Deutsch · Italiano · English</p>',
}

/** `www.hotel-rosengarten.test` becomes `Hotel Rosengarten`. */
const formatTitle = (fqdn: string): string =>
  (fqdn.replace(/^www\./, '').split('.')[0] ?? fqdn)
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
