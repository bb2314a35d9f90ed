import type { SoaRecord } from 'node:dns'
import { domainToASCII } from 'node:url'
import { getDomain } from 'tldts'
import type { Dns, DnsSettings, Looked } from './dns.ts'
import { openQuestions, type Said } from './questions.ts'

/** Opens a client of name servers; nothing is asked yet, and nothing is remembered. */
export function openDns({ servers, timeout = 2_000 }: DnsSettings): Dns {
  const questions = openQuestions(servers, timeout)
  const soa = (name: string) => questions.ask<SoaRecord>(async (from) => [await from.resolveSoa(name)])
  const ipv4 = (name: string) => questions.ask((from) => from.resolve4(name))
  const ipv6 = (name: string) => questions.ask((from) => from.resolve6(name))

  return {
    async lookUp(fqdn, signal) {
      const name = domainToASCII(fqdn)
      // A host's own question would be answered without the SOA record, or with that of a zone which its alias leads to.
      const domain = getDomain(name, { allowPrivateDomains: false }) ?? name
      const hosts = name === domain ? [name, `www.${name}`] : [name]
      const [zone, ...answers] = await unless(
        signal,
        Promise.all([
          soa(domain),
          ...hosts.map(async (host) => ({ ipv4: await ipv4(host), ipv6: await ipv6(host) })),
        ]),
      )
      return judge(
        zone,
        answers.map((answer) => answer.ipv4),
        answers.map((answer) => answer.ipv6),
      )
    },
    async resolve(fqdn, signal) {
      const name = domainToASCII(fqdn)
      const [four, six] = await unless(signal, Promise.all([ipv4(name), ipv6(name)]))
      return judge({ kind: 'no data' }, [four], [six])
    },
    async addresses(name, signal) {
      const answers = await unless(signal, Promise.all([ipv4(name), ipv6(name)]))
      const known = answers.every(({ kind }) => kind !== 'unknown' && kind !== 'broken')
      return known ? answers.flatMap(recordsOf) : null
    },
    close: questions.close,
  }
}

/** The name's own answers come first, then its www's. */
function judge(zone: Said<SoaRecord>, ipv4: readonly Said<string>[], ipv6: readonly Said<string>[]): Looked {
  const mname = recordsOf(zone)[0]?.nsname.toLowerCase().replace(/\.$/, '') || null
  // Some servers fail at questions for IPv6 that they have no answer to: where there is an IPv4 address, that is no matter.
  const addresses = [...new Set([...ipv4, ...ipv6].flatMap(recordsOf))]
  const needed = addresses.length > 0 ? [zone] : [zone, ...ipv4, ...ipv6]
  const unasked = unknownOf(needed)
  if (unasked !== null) return { outcome: 'unknown', reason: unasked }
  if (addresses.length > 0) return { outcome: 'found', mname, addresses, missing: unknownOf(ipv4) }
  const kinds = [zone, ...ipv4].map(({ kind }) => kind)
  return { outcome: 'nothing', mname, reason: reasonOf(kinds) }
}

function unknownOf(answers: readonly Said<unknown>[]): string | null {
  for (const said of answers) if (said.kind === 'unknown') return said.reason
  return null
}

function reasonOf([zone, name]: readonly Said<unknown>['kind'][]): string {
  if (zone === 'no name') return 'the domain does not exist'
  if (zone === 'broken' || name === 'broken') return 'its name servers fail'
  if (name === 'no name') return 'the name does not exist'
  return 'it has no address'
}

const recordsOf = <Record>(said: Said<Record>): readonly Record[] =>
  said.kind === 'records' ? said.records : []

/** c-ares cannot be told to give up one question: who does not want its answer any more goes without it. */
async function unless<T>(signal: AbortSignal | undefined, answer: Promise<T>): Promise<T> {
  if (!signal) return answer
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([answer, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
