import type { Fetched, FetchOutcome, Visit } from '@kustos/clients/page'
import type { Finding } from '@kustos/contract/tracking'

/** Responses by address: a text, or the fields of a response. */
export type Responses = Readonly<Record<string, string | Partial<Fetched>>>

export const host = 'www.hotel.test'
export const home = `https://${host}/`

/** A visit of a web with these responses; all other addresses are not found. */
export function visitOf(responses: Responses): Visit & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    get(url): Promise<FetchOutcome> {
      asked.push(url)
      const response = responses[url]
      const isPage = url === home || (typeof response === 'string' && response.startsWith('<'))
      const usual = {
        outcome: 'fetched' as const,
        url,
        status: response === undefined ? 404 : 200,
        contentType: isPage ? 'text/html' : 'text/javascript',
        text: typeof response === 'string' ? response : '',
        cut: false,
        cookies: [],
      }
      return Promise.resolve(typeof response === 'object' ? { ...usual, ...response } : usual)
    },
    end: () => Promise.resolve(),
  }
}

/** Formats a finding as `googleads AW-123456789 @www.googletagmanager.com (gated)`. */
export function formatFinding({ topic, value, domain, version, names, evidence }: Finding): string {
  return [
    topic,
    value,
    version === null ? null : `v${version}`,
    domain === null ? null : `@${domain}`,
    names === null ? null : `[${names.join(', ')}]`,
    evidence.every(({ gated }) => gated) ? '(gated)' : null,
  ]
    .filter((part) => part !== null)
    .join(' ')
}

export interface Fixture {
  /** The HTML of the page. */
  readonly page: string
  /** Responses of other addresses. */
  readonly responses?: Responses
  readonly cookies?: readonly string[]
  /** The complete findings, formatted. */
  readonly expected: readonly string[]
}

export type Corpus = Readonly<Record<string, Fixture>>

/** A page like those of the agency's webs, with links and scripts but no trackers. */
export const pageWith = (head: string, body = '') => `<!DOCTYPE html>
<html lang="de"><head><meta charset="utf-8"><title>Hotel Alpenblick – Urlaub in Südtirol</title>
<link rel="preconnect" href="https://www.googletagmanager.com"><link rel="stylesheet" href="/main.css">
${head}</head><body class="home" data-page="1"><h1>Grüß Gott!</h1>
<a href="https://www.facebook.com/hotel">Facebook</a> <img src="/hotel.jpg" alt="Das Hotel">
${body}<script>window.dataLayer = window.dataLayer || []; var lang = 'de'; // nothing else</script></body></html>`

export const inline = (code: string, attributes = '') => `<script ${attributes}>${code}</script>`

/** Google's snippet for pages. */
export const gtmSnippet = (id: string, url = 'https://www.googletagmanager.com/gtm.js') =>
  `(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':
new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],
j=d.createElement(s),dl=l!='dataLayer'?'&l='+l:'';j.async=true;j.src=
'${url}?id='+i+dl;f.parentNode.insertBefore(j,f);
})(window,document,'script','dataLayer','${id}');`

/** The script of a container, as Google serves it. */
export const containerOf = (tags: readonly object[], macros: readonly object[] = []) => `
// Copyright 2012 Google Inc. All rights reserved.
(function(){

var data = {
"resource": ${JSON.stringify({ version: '7', macros, tags, predicates: [], rules: [] }).replaceAll('<', String.raw`\u003C`)},
"runtime":[[50,"__e"],{"a":"}"}]
};
/* fbq('init','9999999999999999') is no tag */
var aa="fbq('init','8888888888888888')";})();`

export const containerUrl = (id: string) => `https://www.googletagmanager.com/gtm.js?id=${id}`
