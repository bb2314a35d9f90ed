import { domainToASCII, domainToUnicode } from 'node:url'
import { type Domain, readCall, readDomains, readStatus, shortened, statusNumber } from './answers.ts'
import { type Ask, openExchange } from './exchange.ts'
import { type DomainInfo, readInfo } from './info.ts'
import { type Plesk, PleskError, type PleskNode, type PleskSettings, type Subscription } from './plesk.ts'

/** A node's list of all domains is taken for so long, in milliseconds: REST cannot tell those of one subscription. */
const listFresh = 60_000

/** Opens a client of the nodes' panels (REST API v2 of Plesk Obsidian); nothing is asked yet. */
export function openPlesk(settings: PleskSettings): Plesk {
  const { now = Date.now } = settings
  const exchange = openExchange(settings)
  const lists = new Map<string, { readonly domains: readonly Domain[]; readonly at: number }>()
  const ask = async (asked: Ask, what: string): Promise<unknown> => {
    try {
      return await exchange.ask(asked)
    } catch (error) {
      if (!(error instanceof PleskError) || error.status !== 404) throw error
      throw new PleskError(404, `Plesk on ${asked.node.name} does not tell ${what}.`, { cause: error })
    }
  }

  async function find(
    node: PleskNode,
    fqdn: string,
    signal: AbortSignal | undefined,
  ): Promise<Domain | null> {
    const ascii = domainToASCII(fqdn)
    for (const name of new Set([ascii, domainToUnicode(ascii)])) {
      const path = `/domains?name=${encodeURIComponent(name)}`
      const answer = await exchange.ask({ node, path, signal }).catch((error: unknown) => {
        // Some versions say so of a name that they do not know.
        if (error instanceof PleskError && error.status === 404) return []
        throw error
      })
      const found = readDomains(node.name, answer).find(
        (domain) => (domain.ascii_name ?? domainToASCII(domain.name)) === ascii,
      )
      if (found) return found
    }
    return null
  }

  async function allDomains(node: PleskNode, signal: AbortSignal | undefined): Promise<readonly Domain[]> {
    const known = lists.get(node.name)
    if (known && now() - known.at < listFresh) return known.domains
    const answer = await ask({ node, path: '/domains', signal }, 'its domains')
    const domains = readDomains(node.name, answer)
    lists.set(node.name, { domains, at: now() })
    return domains
  }

  async function statusOf(node: PleskNode, { id, name }: Domain, signal: AbortSignal | undefined) {
    const answer = await ask({ node, path: `/domains/${id}/status`, signal }, `the status of ${name}`)
    const word = readStatus(node.name, answer)
    const number = statusNumber(word)
    if (number === null)
      throw new PleskError(
        200,
        `Plesk on ${node.name} says "${shortened(word).slice(0, 40)}" of ${name}, which is no status that Kustos knows.`,
      )
    return number
  }

  async function infoOf(
    node: PleskNode,
    { name, ascii_name }: Domain,
    signal: AbortSignal | undefined,
  ): Promise<DomainInfo> {
    const body = { params: ['--info', ascii_name ?? name] }
    const what = `what its command "domain --info" says of ${name}`
    const answer = await ask({ node, path: '/cli/domain/call', body, signal }, what)
    // A command that fails is an HTTP 200 all the same.
    const { code, stdout, stderr } = readCall(node.name, answer)
    if (code === 0) return readInfo(stdout)
    const reason = shortened(stderr || stdout)
    throw new PleskError(
      200,
      `Plesk on ${node.name} does not tell ${what}: ${reason || `it ended with ${code}`}.`,
    )
  }

  return {
    async subscription(node, fqdn, signal) {
      const domain = await find(node, fqdn, signal)
      if (domain === null) return null
      const problems: string[] = []
      const learnt = async <T>(asked: Promise<T>): Promise<T | null> => {
        try {
          return await asked
        } catch (error) {
          if (!(error instanceof PleskError)) throw error
          problems.push(error.message)
          return null
        }
      }
      const [status, info, all] = await Promise.all([
        learnt(statusOf(node, domain, signal)),
        learnt(infoOf(node, domain, signal)),
        learnt(allDomains(node, signal)),
      ])
      return {
        status,
        ...partsOf(node, domain, info, problems),
        sites: all && names(all.filter(({ base_domain_id }) => base_domain_id === domain.id)),
        problems: [...new Set(problems)],
      }
    },
    close: exchange.close,
  }
}

/** @param problems gets what is missing */
function partsOf(
  node: PleskNode,
  domain: Domain,
  info: DomainInfo | null,
  problems: string[],
): Pick<Subscription, 'sysuser' | 'disk_usage' | 'aliases'> {
  const missing = (what: string) =>
    problems.push(`Plesk on ${node.name} does not tell ${what} of ${domain.name}.`)
  // Domains that only forward have neither.
  const isHosted = (domain.hosting_type ?? 'virtual') === 'virtual'
  if (info && isHosted && info.sysuser === null) missing('the system user')
  if (info && isHosted && info.disk_usage === null) missing('the disk usage')
  if (domain.aliases === undefined) missing('the aliases')
  return {
    sysuser: info?.sysuser ?? null,
    disk_usage: info?.disk_usage ?? null,
    aliases: domain.aliases ? names(domain.aliases) : null,
  }
}

const names = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name).sort()
