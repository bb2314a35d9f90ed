import type { RequestListener } from 'node:http'
import type { Dns } from '@kustos/clients/dns'
import { makeAuthority } from '@kustos/clients/testing/certificates'
import { startWebServers } from '@kustos/clients/testing/web-servers'
import type { AuditedPage } from './audited-page.ts'
import { vendorHosts, vendorScripts } from './vendors.ts'

export interface AuditedSites {
  /** The host of each page's web. */
  readonly hosts: ReadonlyMap<AuditedPage, string>
  /** How clients reach them, over HTTP and TLS, and the vendors that the pages load from. */
  readonly reach: { readonly connectTo: string; readonly authorities: readonly string[] }
  /** Knows the names below the webs' domains. */
  readonly dns: Pick<Dns, 'records'>
  stop(): Promise<void>
}

/** Of each web besides its first page. */
const otherPages: Readonly<Record<string, string>> = { '/kontakt': '<h1>Kontakt</h1>' }

/** Serves pages on real sockets, each at a domain of its own. */
export async function startAuditedSites(pages: readonly AuditedPage[]): Promise<AuditedSites> {
  const domains = new Map(pages.map((page, index) => [`seite-${index}.test`, page]))
  const aliases = new Map<string, string>(
    [...domains].flatMap(([domain, { aliases = {} }]) =>
      Object.entries(aliases).map(([label, target]) => [`${label}.${domain}`, target] as const),
    ),
  )
  const listener: RequestListener = (request, response) => {
    response.on('error', () => response.destroy())
    const { host = '' } = request.headers
    const path = (request.url ?? '/').replace(/\?.*$/, '')
    const domain = host.split('.').slice(-2).join('.')
    const page = domains.get(domain)
    const script = page?.scripts?.[path] ?? vendorScripts[host + path]
    const html = page && (path === '/' ? page.html : otherPages[path])
    const isFound = page === undefined || html !== undefined || script !== undefined
    const isHtml =
      script === undefined && (page === undefined ? /embed|video/.test(path) : !/\.\w+$/.test(path))
    response.writeHead(isFound ? 200 : 404, {
      'content-type': isHtml ? 'text/html; charset=utf-8' : 'text/javascript',
      ...(path === '/' && page?.headers),
    })
    response.end(script ?? (page && (html?.replaceAll('DOMAIN', domain) ?? '<h1>Nicht gefunden</h1>')) ?? '')
  }
  const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
  const names = [...vendorHosts, ...[...domains.keys()].map((domain) => `*.${domain}`)]
  const { ports, stop } = await startWebServers(await authority.issue({ names }), listener)
  return {
    hosts: new Map([...domains].map(([domain, page]) => [page, `www.${domain}`])),
    reach: {
      connectTo: `:443:127.0.0.1:${ports.secure},:80:127.0.0.1:${ports.plain}`,
      authorities: [authority.cert],
    },
    dns: {
      records: (name) => {
        const target = aliases.get(name)
        return Promise.resolve({ outcome: 'answered', records: target === undefined ? [] : [target] })
      },
    },
    stop,
  }
}
