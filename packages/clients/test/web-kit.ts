import { expect, onTestFinished, test } from 'vitest'
import { openPageFetcher, type PageFetcherSettings } from '../src/page/index.ts'
import { openProber, type ProberSettings } from '../src/probe/index.ts'

export interface WebTarget {
  /** How the webs are reached. */
  readonly settings: Pick<ProberSettings & PageFetcherSettings, 'connectTo' | 'authorities' | 'dnsServers'>
  /** A host that answers with a page over TLS. */
  readonly host: string
  /** One that answers over HTTP, and whose port 443 refuses; not checked where it is left out. */
  readonly plain?: string
  /** One where nothing listens at all. */
  readonly refusing?: string
  /** Whether the authorities have to be told, or every browser trusts the certificate. */
  readonly ownAuthority: boolean
}

/**
 * Checks everything that the prober promises against webs, be they the sandbox's or real ones. To be called inside
 * `describe`.
 * @param target asked for once the tests run
 */
export function checkProber(target: () => WebTarget): void {
  const open = (changed: ProberSettings = {}) => {
    const prober = openProber({ deadlineMs: 5_000, ...target().settings, ...changed })
    onTestFinished(() => prober.close())
    return prober
  }

  test('sees the status and the certificate of a web', async () => {
    const before = Date.now()
    const seen = await open().probe(target().host)
    expect(seen).toMatchObject({ status: expect.any(Number), reason: null })
    expect(seen.startedAt.getTime()).toBeGreaterThanOrEqual(before)
    expect(seen.certificate?.authority).toMatch(/\S/)
    expect(seen.certificate?.expiration.getTime()).toBeGreaterThan(Date.now())
  })

  test('sees a web that is there without TLS, and no certificate', async () => {
    const { plain } = target()
    if (plain !== undefined)
      expect(await open().probe(plain)).toMatchObject({ status: expect.any(Number), certificate: null })
  })

  test('says why there is no status', async () => {
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

  test('stops when it is told to', async () => {
    expect(await open().probe(target().host, AbortSignal.abort())).toMatchObject({
      status: null,
      reason: { code: 'stopped' },
    })
  })
}

/** The same for the reading of pages. */
export function checkPages(target: () => WebTarget): void {
  const open = (changed: PageFetcherSettings = {}) => {
    const pages = openPageFetcher({ ...target().settings, ...changed })
    const visit = pages.visit()
    onTestFinished(async () => {
      await visit.end()
      pages.close()
    })
    return visit
  }

  test('reads a page', async () => {
    const seen = await open().get(`https://${target().host}/`)
    if (seen.outcome === 'unseen') throw new Error(seen.reason.code)
    expect(new URL(seen.url).protocol).toMatch(/^https?:$/)
    expect(seen.contentType).toBe('text/html')
    expect(seen.text).toMatch(/<html|<!doctype/i)
    expect(seen.cut).toBe(false)
  })

  test('tells that nothing listens from what is wrong there', async () => {
    const { plain, refusing, ownAuthority, host } = target()
    for (const deaf of [plain, refusing].filter((one) => one !== undefined))
      expect(await open().get(`https://${deaf}/`)).toMatchObject({ outcome: 'unseen', refused: true })
    if (plain !== undefined) expect((await open().get(`http://${plain}/`)).outcome).toBe('fetched')
    if (ownAuthority)
      expect(await open({ authorities: [] }).get(`https://${host}/`)).toMatchObject({
        outcome: 'unseen',
        refused: false,
        reason: { code: expect.stringMatching(/^certificate_(authority_unknown|chain_incomplete)$/) },
      })
  })

  test('stops when it is told to', async () => {
    expect(await open().get(`https://${target().host}/`, { signal: AbortSignal.abort() })).toMatchObject({
      outcome: 'unseen',
      reason: { code: 'stopped' },
    })
  })
}
