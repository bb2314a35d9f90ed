import { domainToASCII, domainToUnicode } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { shortenReason } from '../http/json-api.ts'
import { type DomainInfo, readInfo } from './domain-info.ts'
import {
  type Plesk,
  PleskError,
  type PleskFailure,
  type PleskNode,
  type PleskSettings,
  pleskError,
} from './plesk.ts'
import { createPleskApis } from './plesk-apis.ts'
import { call, type Domain, domains, server, status, statusNumber } from './schemas.ts'

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
      // Some versions of Plesk return 404 for a name that they do not host.
      const found = (await apis.request(node, domains, path, { signal })) ?? []
      const domain = found.find((each) => (each.ascii_name ?? domainToASCII(each.name)) === ascii)
      if (domain) return domain
    }
    return null
  }

  async function listDomains(node: PleskNode, signal?: AbortSignal): Promise<readonly Domain[]> {
    const known = lists.get(panelOf(node))
    if (known && now() - known.fetchedAt < domainListTtlMs) return known.domains
    return fetchDomains(node, signal)
  }

  async function fetchDomains(node: PleskNode, signal?: AbortSignal): Promise<readonly Domain[]> {
    const list = await apis.request(node, domains, 'domains', { signal })
    if (!list) throw pleskError(404, { code: 'plesk_domains_missing', params: { node: node.name } })
    lists.set(panelOf(node), { domains: list, fetchedAt: now() })
    return list
  }

  async function readStatus(node: PleskNode, { id, name }: Domain, signal?: AbortSignal): Promise<number> {
    const found = await apis.request(node, status, `domains/${id}/status`, { signal })
    const params = { node: node.name, fqdn: name }
    if (!found) throw pleskError(404, { code: 'plesk_status_missing', params })
    const number = statusNumber(found.status)
    if (number !== null) return number
    const word = shortenReason(found.status).slice(0, 40)
    throw pleskError(200, { code: 'plesk_status_unknown', params: { ...params, word } })
  }

  async function runDomainInfo(
    node: PleskNode,
    { name, ascii_name }: Domain,
    signal?: AbortSignal,
  ): Promise<DomainInfo> {
    const body = { params: ['--info', ascii_name ?? name] }
    const params = { node: node.name, fqdn: name }
    const found = await apis.request(node, call, 'cli/domain/call', { body, signal })
    if (!found) throw pleskError(404, { code: 'plesk_info_missing', params })
    // A command that fails is an HTTP 200, too.
    const { code: exitCode, stdout, stderr } = found
    if (exitCode === 0) return readInfo(stdout)
    const reason = shortenReason(stderr || stdout) || { code: 'plesk_info_exited', params: { exitCode } }
    throw pleskError(200, { code: 'plesk_info_failed', params: { ...params, reason } })
  }

  return {
    async version(node, signal) {
      const found = await apis.request(node, server, 'server', { signal })
      if (!found) throw pleskError(404, { code: 'plesk_api_missing', params: { node: node.name } })
      return found.panel_version
    },
    async subscriptions(node, signal) {
      const all = await fetchDomains(node, signal)
      const sites = Map.groupBy(all, ({ base_domain_id: base }) => base || 0)
      return (sites.get(0) ?? []).map(({ id, name, aliases }) => ({
        id,
        fqdn: name,
        sites: sortedNames(sites.get(id) ?? []),
        aliases: aliases ? sortedNames(aliases) : null,
      }))
    },
    async subscription(node, fqdn, signal) {
      const domain = await find(node, fqdn, signal)
      if (domain === null) return null
      const problems: PleskFailure[] = []
      const orProblem = async <T>(fact: Promise<T>): Promise<T | null> => {
        try {
          return await fact
        } catch (error) {
          if (!(error instanceof PleskError)) throw error
          if (!problems.some((known) => isDeepStrictEqual(known, error.codedMessage)))
            problems.push(error.codedMessage)
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
        problems,
      }
    },
    close: apis.close,
  }
}

/** A node may get another panel, whose ids are those of other domains. */
const panelOf = ({ plesk_fqdn, plesk_port }: PleskNode) => `${plesk_fqdn}:${plesk_port ?? ''}`

function missingFacts(node: PleskNode, domain: Domain, info: DomainInfo | null): PleskFailure[] {
  // Domains that only forward have neither.
  const isHosted = (domain.hosting_type ?? 'virtual') === 'virtual'
  const missing = [
    ...(info && isHosted && info.sysuser === null ? (['sysuser'] as const) : []),
    ...(info && isHosted && info.disk_usage === null ? (['disk_usage'] as const) : []),
    ...(domain.aliases === undefined ? (['aliases'] as const) : []),
  ]
  const params = { node: node.name, fqdn: domain.name }
  return missing.map((fact) => ({ code: `plesk_${fact}_missing`, params }))
}

const sortedNames = (list: readonly { readonly name: string }[]): string[] =>
  list.map(({ name }) => name).sort()
