import { domainToASCII, domainToUnicode } from 'node:url'
import { shortenReason } from '../http/json-api.ts'
import { type DomainInfo, readInfo } from './domain-info.ts'
import { type Plesk, PleskError, type PleskNode, type PleskSettings } from './plesk.ts'
import { createPleskApis } from './plesk-apis.ts'
import { call, type Domain, domains, status, statusNumber } from './schemas.ts'

/** REST cannot list the domains of one subscription, so a node's whole list is kept for a while. */
const domainListTtlMs = 60_000

/** Creates a client of the nodes' panels (REST API v2 of Plesk Obsidian); nothing is requested yet. */
export function openPlesk(settings: PleskSettings): Plesk {
  const { now = Date.now } = settings
  const apis = createPleskApis(settings)
  const lists = new Map<string, { readonly domains: readonly Domain[]; readonly fetchedAt: number }>()

  async function find(node: PleskNode, fqdn: string, signal?: AbortSignal): Promise<Domain | null> {
    const ascii = domainToASCII(fqdn)
    for (const name of new Set([ascii, domainToUnicode(ascii)])) {
      const path = `domains?name=${encodeURIComponent(name)}`
      // Some versions of Plesk answer 404 for a name that they do not host.
      const found = (await apis.request(node, domains, path, { signal })) ?? []
      const domain = found.find((each) => (each.ascii_name ?? domainToASCII(each.name)) === ascii)
      if (domain) return domain
    }
    return null
  }

  async function listDomains(node: PleskNode, signal?: AbortSignal): Promise<readonly Domain[]> {
    const known = lists.get(node.name)
    if (known && now() - known.fetchedAt < domainListTtlMs) return known.domains
    const list = required(node, 'its domains', await apis.request(node, domains, 'domains', { signal }))
    lists.set(node.name, { domains: list, fetchedAt: now() })
    return list
  }

  async function readStatus(node: PleskNode, { id, name }: Domain, signal?: AbortSignal): Promise<number> {
    const answer = await apis.request(node, status, `domains/${id}/status`, { signal })
    const word = required(node, `the status of ${name}`, answer).status
    const number = statusNumber(word)
    if (number === null)
      throw new PleskError(
        200,
        `Plesk on ${node.name} says "${shortenReason(word).slice(0, 40)}" of ${name}, which is no status that Kustos knows.`,
      )
    return number
  }

  async function runDomainInfo(
    node: PleskNode,
    { name, ascii_name }: Domain,
    signal?: AbortSignal,
  ): Promise<DomainInfo> {
    const body = { params: ['--info', ascii_name ?? name] }
    const what = `what its command "domain --info" says of ${name}`
    const answer = await apis.request(node, call, 'cli/domain/call', { body, signal })
    // A command that fails is an HTTP 200, too.
    const { code, stdout, stderr } = required(node, what, answer)
    if (code === 0) return readInfo(stdout)
    const reason = shortenReason(stderr || stdout)
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
      const orProblem = async <T>(fact: Promise<T>): Promise<T | null> => {
        try {
          return await fact
        } catch (error) {
          if (!(error instanceof PleskError)) throw error
          problems.push(error.message)
          return null
        }
      }
      const [status, info, all] = await Promise.all([
        orProblem(readStatus(node, domain, signal)),
        orProblem(runDomainInfo(node, domain, signal)),
        orProblem(listDomains(node, signal)),
      ])
      problems.push(...missingFacts(node, domain, info))
      return {
        status,
        sysuser: info?.sysuser ?? null,
        disk_usage: info?.disk_usage ?? null,
        aliases: domain.aliases ? sortedNames(domain.aliases) : null,
        sites: all && sortedNames(all.filter(({ base_domain_id }) => base_domain_id === domain.id)),
        problems: [...new Set(problems)],
      }
    },
    close: apis.close,
  }
}

function required<T>(node: PleskNode, what: string, answer: T | undefined): T {
  if (answer === undefined) throw new PleskError(404, `Plesk on ${node.name} does not tell ${what}.`)
  return answer
}

function missingFacts(node: PleskNode, domain: Domain, info: DomainInfo | null): string[] {
  // Domains that only forward have neither.
  const isHosted = (domain.hosting_type ?? 'virtual') === 'virtual'
  return [
    ...(info && isHosted && info.sysuser === null ? ['the system user'] : []),
    ...(info && isHosted && info.disk_usage === null ? ['the disk usage'] : []),
    ...(domain.aliases === undefined ? ['the aliases'] : []),
  ].map((what) => `Plesk on ${node.name} does not tell ${what} of ${domain.name}.`)
}

const sortedNames = (list: readonly { readonly name: string }[]): string[] =>
  list.map(({ name }) => name).sort()
