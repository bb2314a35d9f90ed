import { expect, onTestFinished, test } from 'vitest'
import { openDns } from '../src/dns/dns.ts'

export interface DnsTarget {
  readonly servers: readonly string[]
  /** A domain with addresses. */
  readonly domain: string
  /** One of its addresses, if known. */
  readonly address?: string
  /** A name that does not exist. */
  readonly unregistered: string
}

/**
 * Defines the contract tests of the client, against simulated or real name servers. Call it inside `describe`.
 * @param target is called when the tests run
 */
export function checkDns(target: () => DnsTarget): void {
  const open = (servers = target().servers) => {
    const dns = openDns({ servers, timeoutMs: 1_000 })
    onTestFinished(() => dns.close())
    return dns
  }

  test('finds a domain with its addresses and its primary name server', async () => {
    const { domain, address } = target()
    const lookup = await open().lookUp(domain)
    if (lookup.outcome !== 'found') throw new Error(`It was not found: ${JSON.stringify(lookup)}`)
    expect(lookup.mname).toMatch(/^[^\sA-Z]+[^.]$/)
    expect(lookup.addresses).not.toEqual([])
    expect(new Set(lookup.addresses).size).toBe(lookup.addresses.length)
    if (address !== undefined) expect(lookup.addresses).toContain(address)
  })

  test('resolves a name to its addresses without looking up its domain', async () => {
    const { domain, address } = target()
    const dns = open()
    expect(await dns.resolve(domain)).toMatchObject({ outcome: 'found', mname: null })
    const addresses = await dns.addresses(domain)
    expect(addresses).not.toEqual([])
    if (address !== undefined) expect(addresses).toContain(address)
  })

  test('reports that a name does not exist', async () => {
    const dns = open()
    expect(await dns.lookUp(target().unregistered)).toMatchObject({ outcome: 'nothing' })
    expect(await dns.resolve(target().unregistered)).toMatchObject({ outcome: 'nothing' })
    expect(await dns.addresses(target().unregistered)).toEqual([])
  })

  test('reports unknown, not missing, if no server responds', async () => {
    const dns = openDns({ servers: ['127.0.0.1:1'], timeoutMs: 50 })
    onTestFinished(() => dns.close())
    expect(await dns.lookUp(target().domain)).toMatchObject({ outcome: 'unknown' })
    expect(await dns.addresses(target().domain)).toBeNull()
  })

  test('stops when aborted', async () => {
    const reason = new Error('enough')
    await expect(open().lookUp(target().domain, AbortSignal.abort(reason))).rejects.toBe(reason)
  })
}
