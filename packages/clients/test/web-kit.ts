import { expect, onTestFinished, test } from 'vitest'
import { openPageFetcher, type PageFetcherSettings } from '../src/page/page-fetcher.ts'
import { openProber, type ProberSettings } from '../src/probe/prober.ts'

export interface WebTarget {
  readonly settings: Pick<ProberSettings & PageFetcherSettings, 'connectTo' | 'authorities' | 'dnsServers'>
  /** A host with a page over TLS. */
  readonly host: string
  /** A host with a page over HTTP whose port 443 is closed. Not checked if omitted. */
  readonly plain?: string
  /** A host where nothing listens. Not checked if omitted. */
  readonly refusing?: string
  /** Whether the certificate is trusted only because of `authorities`. */
  readonly ownAuthority: boolean
}

/**
 * Defines the contract tests of the prober, against simulated or real webs. Call it inside `describe`.
 * @param target is called when the tests run
 */
export function checkProber(target: () => WebTarget): void {
  const open = (overrides: ProberSettings = {}) => {
    const prober = openProber({ deadlineMs: 5_000, ...target().settings, ...overrides })
    onTestFinished(() => prober.close())
    return prober
  }

  test('returns the status and the certificate of a web', async () => {
    const before = Date.now()
    const result = await open().probe(target().host)
    expect(result).toMatchObject({ status: expect.any(Number), reason: null })
    expect(result.startedAt.getTime()).toBeGreaterThanOrEqual(before)
    expect(result.certificate?.authority).toMatch(/\S/)
    expect(result.certificate?.expiration.getTime()).toBeGreaterThan(Date.now())
  })

  test('returns the status of a web without TLS', async () => {
    const { plain } = target()
    if (plain !== undefined)
      expect(await open().probe(plain)).toMatchObject({ status: expect.any(Number), certificate: null })
  })

  test('returns the reason for a missing status', async () => {
    const { refusing, ownAuthority, host } = target()
    if (refusing !== undefined)
      expect(await open().probe(refusing)).toMatchObject({
        status: null,
        reason: { code: 'connection_refused' },
      })
    if (ownAuthority) {
      const { reason, status } = await open({ authorities: [] }).probe(host)
      expect(status).toBeNull()
      expect(reason?.code).toMatch(/^certificate_(authority_unknown|chain_incomplete)$/)
    }
    expect(await open().probe('no host')).toMatchObject({ reason: { code: 'host_name_wrong' } })
  })

  test('stops when aborted', async () => {
    expect(await open().probe(target().host, AbortSignal.abort())).toMatchObject({
      status: null,
      reason: { code: 'stopped' },
    })
  })
}

/** Defines the contract tests of the page fetcher, like `checkProber`. */
export function checkPages(target: () => WebTarget): void {
  const open = (overrides: PageFetcherSettings = {}) => {
    const pages = openPageFetcher({ ...target().settings, ...overrides })
    const visit = pages.visit()
    onTestFinished(async () => {
      await visit.end()
      pages.close()
    })
    return visit
  }

  test('reads a page', async () => {
    const result = await open().get(`https://${target().host}/`)
    if (result.outcome === 'failed') throw new Error(result.reason.code)
    expect(new URL(result.url).protocol).toMatch(/^https?:$/)
    expect(result.contentType).toBe('text/html')
    expect(result.text).toMatch(/<html|<!doctype/i)
    expect(result.cut).toBe(false)
  })

  test('distinguishes a refused connection from other failures', async () => {
    const { plain, refusing, ownAuthority, host } = target()
    for (const closed of [plain, refusing].filter((one) => one !== undefined))
      expect(await open().get(`https://${closed}/`)).toMatchObject({ outcome: 'failed', refused: true })
    if (plain !== undefined) expect((await open().get(`http://${plain}/`)).outcome).toBe('fetched')
    if (ownAuthority)
      expect(await open({ authorities: [] }).get(`https://${host}/`)).toMatchObject({
        outcome: 'failed',
        refused: false,
        reason: { code: expect.stringMatching(/^certificate_(authority_unknown|chain_incomplete)$/) },
      })
  })

  test('stops when aborted', async () => {
    expect(await open().get(`https://${target().host}/`, { signal: AbortSignal.abort() })).toMatchObject({
      outcome: 'failed',
      reason: { code: 'stopped' },
    })
  })
}
