import type { TrackingData } from '@kustos/contract/webs'
import { escaped } from '../html.ts'
import { runTimeTags } from './run-time.ts'
import { trackersOf } from './trackers.ts'

/** A web that the sandbox hosts. */
export interface HostedWeb {
  readonly fqdn: string
  readonly customer: string
  /** What it is made with. */
  readonly framework: string | null
  readonly topics: readonly string[]
  /** What its page is tracked with; null for nothing. */
  readonly tracking: TrackingData | null
}

/** The front page of a web that nobody has deployed yet. */
export function pageOf(web: HostedWeb): string {
  const title = titleOf(web.fqdn)
  return html({
    title,
    head: [
      ...(web.framework === null ? [] : [`<meta name="generator" content="${escaped(web.framework)}">`]),
      `<meta name="description" content="${escaped(`${title}: Angebote, Anreise und Kontakt.`)}">`,
      `<style>${style}</style>`,
      ...(web.tracking === null ? [] : trackersOf(web.tracking)),
      ...runTimeTags(web.fqdn),
    ],
    body: [
      `<header><strong>${escaped(title)}</strong><nav>${links}</nav></header>`,
      `<main>
      <h1>Herzlich willkommen</h1>
      <p>Schön, dass Sie da sind. Hier erfahren Sie, was es bei ${escaped(title)} Neues gibt.</p>
      ${web.topics.map(sectionOf).join('\n      ')}
    </main>`,
      `<footer>${escaped(web.fqdn)} · ${escaped(web.customer)}</footer>`,
    ],
  })
}

interface Page {
  readonly title: string
  /** What comes into the head besides the title, such as what a page loads. */
  readonly head: readonly string[]
  readonly body: readonly string[]
}

const html = ({ title, head, body }: Page): string => `<!doctype html>
<html lang="de">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${escaped(title)}</title>
    ${head.join('\n    ')}
  </head>
  <body>
    ${body.join('\n    ')}
  </body>
</html>
`

const style =
  'body{font:1rem/1.6 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}nav a{margin-left:1rem}'

const links = ['Angebote', 'Anreise', 'Kontakt', 'Impressum']
  .map((label) => `<a href="/#${label.toLowerCase()}">${label}</a>`)
  .join('')

const sections = new Map([
  ['booking', '<section><h2>Buchen</h2><p>Freie Tage finden und gleich anfragen.</p></section>'],
  ['shop', '<section><h2>Shop</h2><p>Was uns schmeckt, kommt auch zu Ihnen nach Hause.</p></section>'],
  ['newsletter', '<section><h2>Newsletter</h2><p>Viermal im Jahr, und sonst nichts.</p></section>'],
  ['multilingual', '<p>Deutsch · Italiano · English</p>'],
])

const sectionOf = (topic: string) => sections.get(topic) ?? ''

/** What the name says: `www.hotel-rosengarten.test` is Hotel Rosengarten. */
const titleOf = (fqdn: string): string =>
  (fqdn.replace(/^www\./, '').split('.')[0] ?? fqdn)
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
