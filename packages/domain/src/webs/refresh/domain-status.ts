import { setTimeout as sleep } from 'node:timers/promises'
import type { Dns } from '@kustos/clients/dns'
import { message } from '@kustos/contract/messages'
import { domainStatus } from '@kustos/contract/webs'
import { createNodeAddresses, determineDomainState } from '../../external-domains/index.ts'
import type { FactResult, RefreshTarget, RefreshTools } from './fact-results.ts'

type Target = Pick<RefreshTarget, 'host' | 'configured_ip' | 'domain_status' | 'node'>

const statuses = {
  ok: domainStatus.online,
  extern: domainStatus.extern,
  error: domainStatus.offline,
} as const

/**
 * Finds out whether a web's name leads to its node. One wrong answer must not end the probes of a web, so a second reading has to
 * say that its domain has moved away.
 * @throws the signal's reason
 */
export async function readDomainStatus(
  { dns, secondReadingMs = 5_000 }: Pick<RefreshTools, 'dns' | 'secondReadingMs'>,
  web: Target,
  signal: AbortSignal,
): Promise<FactResult> {
  const first = await readNameServers(dns, web, signal)
  const { domain_status: status } = first.columns
  if (status === undefined || status === domainStatus.online || web.domain_status !== domainStatus.online)
    return first
  await sleep(secondReadingMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  const second = await readNameServers(dns, web, signal)
  if (!second.seen || second.columns.domain_status === status) return second
  return { fact: 'dns', seen: false, columns: {}, problems: [message('dns_answers_differ')] }
}

async function readNameServers(dns: Dns, web: Target, signal: AbortSignal): Promise<FactResult> {
  const { host, configured_ip, node } = web
  const [lookup, addresses] = await Promise.all([
    dns.resolve(host, signal),
    node === null ? [] : node.address === null ? dns.addresses(node.plesk_fqdn, signal) : [node.address],
  ])
  const missing = addresses === null && node !== null ? node.name : null
  const found = determineDomainState(
    lookup,
    createNodeAddresses([configured_ip, ...(addresses ?? [])], missing),
  )
  if (found.state === 'unknown') return { fact: 'dns', seen: false, columns: {}, problems: [found.error] }
  return {
    fact: 'dns',
    seen: true,
    columns: { domain_status: statuses[found.state] },
    pointsTo: lookup.outcome === 'found' ? lookup.addresses.join(', ') : null,
    problems: [],
  }
}
