const userAgent = 'Kustos/1.0 (uptime probe)'

export interface HttpHeader {
  readonly name: string
  readonly value: string
}

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD'
  /** With its query. */
  readonly path: string
  /** Instead of or besides the probe's own. */
  readonly headers: readonly HttpHeader[]
  /** Whether the headers of the response are kept. */
  readonly keepsHead: boolean
  /** Whether the body is kept, to look for texts in it. */
  readonly keepsBody: boolean
}

export const frontPage: HttpRequest = {
  method: 'GET',
  path: '/',
  headers: [],
  keepsHead: false,
  keepsBody: false,
}

/** @param host of the URL, without the usual port */
export function writeRequest(host: string, request: HttpRequest): string {
  if (request === frontPage)
    return `GET / HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${userAgent}\r\nAccept: */*\r\nConnection: close\r\n\r\n`
  const { method, path, headers, keepsBody } = request
  const given = new Set(headers.map(({ name }) => name.toLowerCase()))
  const own = [
    { name: 'User-Agent', value: userAgent },
    { name: 'Accept', value: '*/*' },
    // Texts are looked for in the body as it comes.
    ...(keepsBody ? [{ name: 'Accept-Encoding', value: 'identity' }] : []),
  ].filter(({ name }) => !given.has(name.toLowerCase()))
  const lines = [...own, ...headers].map(({ name, value }) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}Connection: close\r\n\r\n`
}
