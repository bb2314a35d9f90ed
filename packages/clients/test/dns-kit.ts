import { expect, onTestFinished, test } from 'vitest'
import { openDns } from '../src/dns/index.ts'

export interface DnsTarget {
  readonly servers: readonly string[]
  /** A domain that leads somewhere. */
  readonly domain: string
  /** An address that it leads to, where that is known. */
  readonly address?: string
  /** A name that nobody has. */
  readonly nobodys: string
}

/**
 * Checks everything that the client promises against name servers, be they the sandbox's or real ones. To be called
 * inside `describe`.
 * @param target asked for once the tests run
 */
export function checkDns(target: () => DnsTarget): void {
  const open = (servers = target().servers) => {
    const dns = openDns({ servers, timeoutMs: 1_000 })
    onTestFinished(() => dns.close())
    return dns
  }

  test('finds a domain with its addresses and its primary name server', async () => {
    const { domain, address } = target()
    const looked = await open().lookUp(domain)
    if (looked.outcome !== 'found') throw new Error(`It was not found: ${JSON.stringify(looked)}`)
    expect(looked.mname).toMatch(/^[^\sA-Z]+[^.]$/)
    expect(looked.addresses).not.toEqual([])
    expect(new Set(looked.addresses).size).toBe(looked.addresses.length)
    if (address !== undefined) expect(looked.addresses).toContain(address)
  })

  test('resolves a name, and tells its addresses alone', async () => {
    const { domain, address } = target()
    const dns = open()
    expect(await dns.resolve(domain)).toMatchObject({ outcome: 'found', mname: null })
    const addresses = await dns.addresses(domain)
    expect(addresses).not.toEqual([])
    if (address !== undefined) expect(addresses).toContain(address)
  })

  test('says that there is nothing under a name that nobody has', async () => {
    const dns = open()
    expect(await dns.lookUp(target().nobodys)).toMatchObject({ outcome: 'nothing' })
    expect(await dns.resolve(target().nobodys)).toMatchObject({ outcome: 'nothing' })
    expect(await dns.addresses(target().nobodys)).toEqual([])
  })

  test('knows nothing where nobody answers, and never that there is nothing', async () => {
    const dns = openDns({ servers: ['127.0.0.1:1'], timeoutMs: 50 })
    onTestFinished(() => dns.close())
    expect(await dns.lookUp(target().domain)).toMatchObject({ outcome: 'unknown' })
    expect(await dns.addresses(target().domain)).toBeNull()
  })

  test('stops when it is told to', async () => {
    const reason = new Error('enough')
    await expect(open().lookUp(target().domain, AbortSignal.abort(reason))).rejects.toBe(reason)
  })
}
