import type { Fetched, FetchOutcome, Visit } from '@kustos/clients/page'
import type { Finding } from '@kustos/contract/tracking'

/** What answers at an address: a text, or an answer in its parts. */
export type Answers = Readonly<Record<string, string | Partial<Fetched>>>

export const host = 'www.hotel.test'
export const home = `https://${host}/`

/** A web of a few addresses; nothing is at the others. */
export function visitOf(answers: Answers): Visit & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    get(url): Promise<FetchOutcome> {
      asked.push(url)
      const answer = answers[url]
      const isPage = url === home || (typeof answer === 'string' && answer.startsWith('<'))
      const usual = {
        outcome: 'fetched' as const,
        url,
        status: answer === undefined ? 404 : 200,
        contentType: isPage ? 'text/html' : 'text/javascript',
        text: typeof answer === 'string' ? answer : '',
        cut: false,
        cookies: [],
      }
      return Promise.resolve(typeof answer === 'object' ? { ...usual, ...answer } : usual)
    },
    end: () => Promise.resolve(),
  }
}

/** A finding in a line: `googleads AW-123456789 @www.googletagmanager.com (gated)`. */
export function told({ topic, value, domain, version, names, evidence }: Finding): string {
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
  /** What is in the page. */
  readonly page: string
  /** What else is at which address. */
  readonly beside?: Answers
  readonly cookies?: readonly string[]
  /** What must be found, and nothing else. */
  readonly finds: readonly string[]
}

export type Corpus = Readonly<Record<string, Fixture>>

/** A page as an agency's webs have it: something of everything, and nothing that tracks. */
export const around = (head: string, body = '') => `<!DOCTYPE html>
<html lang="de"><head><meta charset="utf-8"><title>Hotel Alpenblick – Urlaub in Südtirol</title>
<link rel="preconnect" href="https://www.googletagmanager.com"><link rel="stylesheet" href="/main.css">
${head}</head><body class="home" data-page="1"><h1>Grüß Gott!</h1>
<a href="https://www.facebook.com/hotel">Facebook</a> <img src="/hotel.jpg" alt="Das Hotel">
${body}<script>window.dataLayer = window.dataLayer || []; var lang = 'de'; // nothing else</script></body></html>`

export const inline = (code: string, attributes = '') => `<script ${attributes}>${code}</script>`

/** Google's snippet, as it is copied into pages. */
export const gtmSnippet = (id: string, url = 'https://www.googletagmanager.com/gtm.js') =>
  `(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':
new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],
j=d.createElement(s),dl=l!='dataLayer'?'&l='+l:'';j.async=true;j.src=
'${url}?id='+i+dl;f.parentNode.insertBefore(j,f);
})(window,document,'script','dataLayer','${id}');`

/** A container's script, as Google serves it. */
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
