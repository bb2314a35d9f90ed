import type { Dns } from '@kustos/clients/dns'
import type { PageFetcher } from '@kustos/clients/page'
import { type Plesk, PleskError } from '@kustos/clients/plesk'
import type { Probed, Prober } from '@kustos/clients/probe'
import type { FactName } from '@kustos/contract/inspections'
import { englishText } from '@kustos/contract/messages/english'
import { domainStatus } from '@kustos/contract/webs'
import { judgeDomain, ourAddresses } from '../../external-domains/index.ts'
import { type Framework, frameworkOf } from './framework.ts'

/** What refreshes need besides the database. */
export interface RefreshTools {
  readonly plesk: Plesk
  readonly dns: Dns
  /** Does not resume TLS sessions, so that it sees every certificate. */
  readonly prober: Prober
  readonly pages: PageFetcher
}

/** The web to refresh. */
export interface Looked {
  /** The FQDN in ASCII. */
  readonly host: string
  readonly configured_ip: string
  readonly node: {
    readonly name: string
    readonly plesk_fqdn: string
    readonly address: string | null
  } | null
}

/** The columns that a refresh may write. Omitted ones stay unchanged. */
export interface Learnable {
  readonly status: number | null
  readonly sysuser: string | null
  readonly disk_usage: number | null
  readonly sites: { fqdn: string }[]
  readonly aliases: { fqdn: string }[]
  readonly domain_status: number | null
  readonly cert_ca: string | null
  readonly cert_expiration: Date | null
  readonly http_status_code: number | null
}

/** The result of looking for a fact. */
export interface Learnt {
  readonly fact: FactName
  readonly seen: boolean
  readonly columns: Partial<Learnable>
  readonly framework?: Framework
  /** What could not be found out, and why, in sentences. */
  readonly problems: readonly string[]
  /** Why there is nothing to find out although nothing has failed, such as a web without TLS. */
  readonly remark?: string
}

/**
 * Asks Plesk, name servers and the web itself.
 * @throws the signal's reason
 */
export async function learn(
  tools: RefreshTools,
  web: Looked,
  signal: AbortSignal,
): Promise<readonly Learnt[]> {
  const [plesk, dns, answered] = await Promise.all([
    askPlesk(tools.plesk, web, signal),
    askNameServers(tools.dns, web, signal),
    askWeb(tools, web, signal),
  ])
  signal.throwIfAborted()
  return [...(plesk === null ? [] : [plesk]), dns, ...factsOf(answered, dns.seen)]
}

/** @returns null if the web has no node */
async function askPlesk(plesk: Plesk, { host, node }: Looked, signal: AbortSignal): Promise<Learnt | null> {
  if (node === null) return null
  const nothing = (problem: string): Learnt => ({
    fact: 'plesk',
    seen: false,
    columns: {},
    problems: [problem],
  })
  try {
    const found = await plesk.subscription(node, host, signal)
    if (found === null) return nothing(`Plesk on ${node.name} has no subscription of this name.`)
    const { status, sysuser, disk_usage, sites, aliases, problems } = found
    const hosts = (names: readonly string[]) => names.map((fqdn) => ({ fqdn }))
    return {
      fact: 'plesk',
      seen: true,
      columns: {
        ...(status !== null && { status }),
        ...(sysuser !== null && { sysuser }),
        ...(disk_usage !== null && { disk_usage }),
        ...(sites !== null && { sites: hosts(sites) }),
        ...(aliases !== null && { aliases: hosts(aliases) }),
      },
      problems,
    }
  } catch (error) {
    if (error instanceof PleskError) return nothing(error.message)
    throw error
  }
}

const statuses = {
  ok: domainStatus.online,
  extern: domainStatus.extern,
  error: domainStatus.offline,
} as const

async function askNameServers(dns: Dns, web: Looked, signal: AbortSignal): Promise<Learnt> {
  const { host, configured_ip, node } = web
  const [looked, addresses] = await Promise.all([
    dns.resolve(host, signal),
    node === null ? [] : node.address === null ? dns.addresses(node.plesk_fqdn, signal) : [node.address],
  ])
  const missing = addresses === null && node !== null ? node.name : null
  const judged = judgeDomain(looked, ourAddresses([configured_ip, ...(addresses ?? [])], missing))
  if (judged.state !== 'unknown')
    return { fact: 'dns', seen: true, columns: { domain_status: statuses[judged.state] }, problems: [] }
  const reason = englishText(judged.error)
  const problem =
    looked.outcome === 'unknown'
      ? `The name could not be looked up: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`
      : reason
  return { fact: 'dns', seen: false, columns: {}, problems: [problem] }
}

interface Answered {
  readonly probed: Probed
  readonly framework: Omit<Learnt, 'fact' | 'columns'>
}

async function askWeb(tools: RefreshTools, { host }: Looked, signal: AbortSignal): Promise<Answered> {
  const probed = await tools.prober.probe(host, signal)
  const unseen = { seen: false, problems: [] }
  return { probed, framework: probed.status === null ? unseen : await askPage(tools.pages, host, signal) }
}

/** A page of another host says nothing about the framework of this web. */
async function askPage(
  pages: PageFetcher,
  host: string,
  signal: AbortSignal,
): Promise<Answered['framework']> {
  const visit = pages.visit()
  const unseen = (problem: string) => ({ seen: false, problems: [problem] })
  try {
    let url = `https://${host}/`
    let page = await visit.get(url, { signal })
    if (page.outcome === 'unseen' && page.refused) {
      url = `http://${host}/`
      page = await visit.get(url, { signal })
    }
    if (page.outcome === 'unseen') return unseen(`${url} could not be read: ${page.reason}.`)
    if (page.status >= 400)
      return { seen: false, problems: [], remark: `${page.url.slice(0, 200)} answered ${page.status}.` }
    const isOwn = bare(new URL(page.url).hostname) === bare(host)
    const framework = isOwn ? frameworkOf(page.text, page.url) : null
    return { seen: true, problems: [], ...(framework && { framework }) }
  } finally {
    await visit.end()
  }
}

const bare = (host: string) => host.toLowerCase().replace(/^www\./, '')

/** @param named whether the name could be looked up; otherwise a missing answer says nothing about the web */
function factsOf({ probed, framework }: Answered, named: boolean): readonly Learnt[] {
  const { status, reason, certificate } = probed
  if (status === null) {
    const sentence = `It did not answer: ${reason}.`
    const told = named ? { problems: [], remark: sentence } : { problems: [sentence] }
    const nothing = { seen: false, columns: {}, ...told }
    return [
      { ...nothing, fact: 'certificate' },
      { ...nothing, fact: 'http', seen: named, columns: named ? { http_status_code: null } : {} },
      { ...nothing, fact: 'framework' },
    ]
  }
  const shown: Pick<Learnt, 'columns' | 'remark'> =
    certificate === null
      ? {
          columns: { cert_ca: null, cert_expiration: null },
          remark: 'It shows no certificate: nothing listens on port 443.',
        }
      : { columns: { cert_ca: certificate.authority, cert_expiration: certificate.expiration } }
  return [
    { fact: 'certificate', seen: true, problems: [], ...shown },
    { fact: 'http', seen: true, problems: [], columns: { http_status_code: status } },
    { fact: 'framework', columns: {}, ...framework },
  ]
}
