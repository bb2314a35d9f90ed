import { domainToASCII } from 'node:url'
import { getDomain } from 'tldts'
import { findByCode } from '../http/error-code.ts'
import { type Dns, type DnsFailure, type DnsResult, type DnsSettings, dnsFailureCodes } from './dns.ts'
import { createDnsClient, type DnsAnswer } from './dns-client.ts'

/** Creates a client of name servers without a cache. */
export function openDns({ servers, timeoutMs = 2_000 }: DnsSettings): Dns {
  const client = createDnsClient(servers, timeoutMs)
  const addressesOf = async (names: readonly string[], family: 4 | 6, signal: AbortSignal | undefined) =>
    await Promise.all(names.map((name) => client.addresses(name, family, signal)))

  return {
    async lookUp(fqdn, signal) {
      const name = domainToASCII(fqdn)
      // A host itself has no SOA record, or its alias leads to that of another zone.
      const domain = getDomain(name, { allowPrivateDomains: false }) ?? name
      const hosts = name === domain ? [name, `www.${name}`] : [name]
      const [zone, ipv4, ipv6] = await Promise.all([
        client.soa(domain, signal),
        addressesOf(hosts, 4, signal),
        addressesOf(hosts, 6, signal),
      ])
      const mname = recordsOf(zone)[0]?.nsname.toLowerCase().replace(/\.$/, '') || null
      return summarize(mname, [zone], ipv4, ipv6)
    },
    async resolve(fqdn, signal) {
      const hosts = [domainToASCII(fqdn)]
      const [ipv4, ipv6] = await Promise.all([addressesOf(hosts, 4, signal), addressesOf(hosts, 6, signal)])
      return summarize(null, [], ipv4, ipv6)
    },
    async addresses(name, signal) {
      const answers = await Promise.all([addressesOf([name], 4, signal), addressesOf([name], 6, signal)])
      const known = answers.flat().every(({ kind }) => kind !== 'unknown' && kind !== 'broken')
      return known
        ? answers
            .flat()
            .flatMap(recordsOf)
            .map(({ address }) => address)
        : null
    },
    close: client.close,
  }
}

function summarize(
  mname: string | null,
  zone: readonly DnsAnswer<unknown>[],
  ipv4: readonly DnsAnswer<{ readonly address: string }>[],
  ipv6: readonly DnsAnswer<{ readonly address: string }>[],
): DnsResult {
  // Some servers fail for IPv6 if there is no such address, so that failures do not count if there is an IPv4 address.
  const addresses = [...new Set([...ipv4, ...ipv6].flatMap(recordsOf).map(({ address }) => address))]
  const unknown = findFailure(addresses.length > 0 ? zone : [...zone, ...ipv4, ...ipv6])
  if (unknown !== null) return { outcome: 'unknown', reason: unknown }
  if (addresses.length > 0) return { outcome: 'found', mname, addresses, missing: findFailure(ipv4) }
  return { outcome: 'nothing', mname }
}

const recordsOf = <Record>(answer: DnsAnswer<Record>): readonly Record[] =>
  answer.kind === 'records' ? answer.records : []

function findFailure(answers: readonly DnsAnswer<unknown>[]): DnsFailure | null {
  const found = answers.find((answer) => answer.kind === 'unknown')
  if (found === undefined) return null
  const code = findByCode(dnsFailureCodes, found.code)
  return code ? { code } : { code: 'dns_failed', params: { detail: found.code } }
}
