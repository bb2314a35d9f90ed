/** A page that is audited as a web's, and what the audit must say of it. */
export interface AuditedPage {
  /** `DOMAIN` stands for the web's domain. */
  readonly html: string
  /** Scripts by path, on every host of the web's domain. */
  readonly scripts?: Readonly<Record<string, string>>
  /** Response headers of the page. */
  readonly headers?: Readonly<Record<string, string>>
  /** Where the names below the web's domain lead, by their first label. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Sorted, as `describeAudit` says it. */
  readonly expected: readonly string[]
}

export type AuditedPages = Readonly<Record<string, AuditedPage>>

export const pixelId = '123456789012345'
export const measurementId = 'G-ABCDEF1234'
export const containerId = 'GTM-ABC1234'

export const script = (code: string, attributes = '') => `<script ${attributes}>${code}</script>`
export const load = (url: string, attributes = '') => `<script src="${url}" ${attributes}></script>`

/** A page as the agency's are, without trackers but for what is given. */
export const page = (head: string, body = '') => `<!doctype html>
<html lang="de"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Hotel Alpenblick</title>${head}</head><body><h1>Grüß Gott!</h1>
<a href="https://www.facebook.com/hotel">Facebook</a> <a href="/kontakt">Kontakt</a> ${body}</body></html>`

/** What an audit says of a page that runs Meta's pixel before consent. */
export const metaBefore = [
  'before: Facebook Ads',
  'before: Facebook Ads stores _fbp',
  `found: facebookads ${pixelId}`,
]
/** What an audit says of a page that runs Google Analytics before consent. */
export const analyticsBefore = [
  'before: Google Analytics',
  'before: Google Analytics stores _ga',
  `found: googleanalytics ${measurementId}`,
]
