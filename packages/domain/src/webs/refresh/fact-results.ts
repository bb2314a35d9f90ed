import type { Dns } from '@kustos/clients/dns'
import type { PageFetcher } from '@kustos/clients/page'
import { type Plesk, PleskError } from '@kustos/clients/plesk'
import type { Probed, Prober } from '@kustos/clients/probe'
import type { FactName } from '@kustos/contract/inspections'
import { type KnownMessage, type Message, message } from '@kustos/contract/messages'
import { removeBidiControls } from '@kustos/contract/text'
import type { webs } from '@kustos/database/tables'
import { createNodeMask, type NodeSecrets, openPanelKey } from '../../platform/panel-key.ts'
import { readDomainStatus } from './domain-status.ts'
import { detectFramework, type Framework } from './framework.ts'

export interface RefreshTools extends NodeSecrets {
  readonly plesk: Plesk
  readonly dns: Dns
  /** Does not resume TLS sessions, so that it sees every certificate. */
  readonly prober: Prober
  readonly pages: PageFetcher
  /** Between the two readings of a domain that seems to have moved away; 5 s by default. */
  readonly secondReadingMs?: number
}

export interface RefreshTarget {
  /** The FQDN in ASCII. */
  readonly host: string
  readonly configured_ip: string
  readonly domain_status: number | null
  /** Null if no certificate of it was ever seen. */
  readonly cert_expiration: Date | null
  readonly node: {
    readonly name: string
    readonly id: number
    readonly plesk_fqdn: string
    readonly plesk_port: number | null
    readonly plesk_certificate: string | null
    /** Sealed. */
    readonly plesk_key: string | null
    readonly address: string | null
  } | null
}

export interface FactResult {
  readonly fact: FactName
  readonly seen: boolean
  /** The columns to write; omitted ones stay unchanged. */
  readonly columns: Partial<typeof webs.$inferSelect>
  readonly framework?: Framework | null
  /** Where the domain points to; null if it has no address. */
  readonly pointsTo?: string | null
  readonly problems: readonly Message[]
  /** Why there is no value although nothing has failed, such as a web without TLS. */
  readonly remark?: Message
}

/**
 * Queries Plesk, name servers and the web itself.
 * @throws the signal's reason
 */
export async function checkFacts(
  tools: RefreshTools,
  web: RefreshTarget,
  signal: AbortSignal,
): Promise<readonly FactResult[]> {
  const [plesk, dns, site] = await Promise.all([
    queryPlesk(tools, web, signal),
    readDomainStatus(tools, web, signal),
    querySite(tools, web, signal),
  ])
  signal.throwIfAborted()
  const mask = createNodeMask(tools, web.node)
  return [...plesk, dns, ...siteFacts(site, dns.seen)].map(({ problems, ...result }) => ({
    ...result,
    problems: problems.map(mask.message),
  }))
}

async function queryPlesk(
  { plesk, secretBox }: RefreshTools,
  { host, node }: RefreshTarget,
  signal: AbortSignal,
): Promise<FactResult[]> {
  if (node === null) return []
  const failed = (problem: KnownMessage): FactResult[] => [
    { fact: 'plesk', seen: false, columns: {}, problems: [problem] },
  ]
  const opened = openPanelKey(secretBox, node)
  if (opened === 'unreadable') return failed({ code: 'plesk_key_unreadable', params: { node: node.name } })
  try {
    const found = await plesk.subscription({ ...node, plesk_key: opened.key }, host, signal)
    if (found === null) return failed({ code: 'plesk_subscription_missing', params: { node: node.name } })
    const { problems, ...facts } = found
    const hosts = (names: readonly string[] | null) =>
      names?.map((fqdn) => ({ fqdn: removeBidiControls(fqdn) })) ?? null
    const columns = { ...facts, sites: hosts(facts.sites), aliases: hosts(facts.aliases) }
    const known = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null))
    return [
      { fact: 'plesk', seen: true, columns: known, problems: problems satisfies readonly KnownMessage[] },
    ]
  } catch (error) {
    if (error instanceof PleskError) return failed(error.codedMessage)
    throw error
  }
}

interface SiteResult {
  readonly probed: Probed
  readonly framework: Omit<FactResult, 'fact' | 'columns'>
}

async function querySite(
  tools: RefreshTools,
  { host, cert_expiration }: RefreshTarget,
  signal: AbortSignal,
): Promise<SiteResult> {
  const probed = await tools.prober.probe(host, signal, { requiresTls: cert_expiration !== null })
  const isUp = probed.status !== null
  return {
    probed,
    framework: isUp ? await readPage(tools.pages, host, signal) : { seen: false, problems: [] },
  }
}

async function readPage(
  pages: PageFetcher,
  host: string,
  signal: AbortSignal,
): Promise<SiteResult['framework']> {
  const visit = pages.visit()
  try {
    let url = `https://${host}/`
    let page = await visit.get(url, { signal })
    if (page.outcome === 'failed' && page.refused) {
      url = `http://${host}/`
      page = await visit.get(url, { signal })
    }
    if (page.outcome === 'failed')
      return { seen: false, problems: [message('page_unread', { url, reason: page.reason })] }
    const { status, text } = page
    if (status >= 400)
      return {
        seen: false,
        problems: [],
        remark: message('page_error', { url: page.url.slice(0, 200), status }),
      }
    // A page of another host says nothing about this web.
    const isOwn = withoutWww(new URL(page.url).hostname) === withoutWww(host)
    return { seen: true, problems: [], framework: isOwn ? detectFramework(text, page.url) : null }
  } finally {
    await visit.end()
  }
}

const withoutWww = (host: string) => host.toLowerCase().replace(/^www\./, '')

/** @param isResolved whether the name could be looked up; otherwise a missing answer says nothing about the web */
function siteFacts({ probed, framework }: SiteResult, isResolved: boolean): readonly FactResult[] {
  const { status, reason, certificate } = probed
  if (status === null) {
    const remark = message('web_unanswered', { reason: reason ?? '' })
    const failed = {
      seen: false,
      columns: {},
      ...(isResolved ? { problems: [], remark } : { problems: [remark] }),
    }
    return [
      { ...failed, fact: 'certificate' },
      { ...failed, fact: 'http', seen: isResolved, columns: isResolved ? { http_status_code: null } : {} },
      { ...failed, fact: 'framework' },
    ]
  }
  return [
    {
      fact: 'certificate',
      seen: true,
      problems: [],
      ...(certificate === null
        ? { columns: {}, remark: message('certificate_missing') }
        : {
            columns: {
              cert_ca: certificate.authority,
              cert_from: certificate.from,
              cert_expiration: certificate.expiration,
            },
          }),
    },
    { fact: 'http', seen: true, problems: [], columns: { http_status_code: status } },
    { fact: 'framework', columns: {}, ...framework },
  ]
}
