import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { openDns } from '@kustos/clients/dns'
import { openPageFetcher } from '@kustos/clients/page'
import { openPlesk } from '@kustos/clients/plesk'
import { openProber } from '@kustos/clients/probe'
import { makeAuthority } from '@kustos/clients/testing/certificates'
import { startDnsServer, type Zone } from '@kustos/clients/testing/dns'
import { startPleskServer } from '@kustos/clients/testing/plesk-server'
import { englishText } from '@kustos/contract/messages/english'
import { logEntries, nodes, webFacts, webs } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { and, asc, eq, gt, max } from 'drizzle-orm'
import { afterAll, beforeEach, onTestFinished } from 'vitest'
import { createContext } from '../src/platform/context.ts'
import { refreshWeb } from '../src/webs/index.ts'

export const hello = '<meta name="generator" content="TYPO3 CMS"><h1>Hotel</h1>'
export const start = Date.parse('2026-11-20T10:00:00Z')
const hour = 3_600_000
const zone: Zone = { 'hotel.test': { A: ['127.0.0.1', '192.0.2.11'] } }
const domain = {
  id: 7,
  name: 'hotel.test',
  hosting_type: 'virtual',
  base_domain_id: 0,
  aliases: [{ name: 'hotel.example' }],
}
/** Plesk's command for what it tells of a domain in words. */
export const command = 'POST /api/v2/cli/domain/call'
export const info = (size: string) => ({
  code: 0,
  stdout: `FTP Login: hotel_1\nDisk space used by httpdocs: ${size}`,
})
export const seenAt = (at: number) => ({ seen_at: new Date(at), tried_at: new Date(at), error: null })

/**
 * hotel.test, over TLS on loopback, with its panel and its name server: as it stands at each test's beginning, where
 * everything tells everything.
 */
export async function openRefreshing(database: TestDatabase) {
  const { db } = database
  const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
  const ends = Date.now() + 40 * 86_400_000
  const answerOf = { site: (_: ServerResponse): void => undefined }
  const server = createServer(
    await authority.issue({ names: ['hotel.test'], until: ends - Date.now() }),
    (_, response) => answerOf.site(response),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const panel = await startPleskServer('panel.test')
  const names = await startDnsServer({})
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await panel.stop()
    await names.stop()
  })
  const webAt = `hotel.test:443::${port}`
  const tools = (connectTo = webAt) => {
    const reach = {
      connectTo: `panel.test:8443:127.0.0.1:${panel.port},${connectTo}`,
      dnsServers: [names.server],
      authorities: [authority.cert],
    }
    const opened = {
      plesk: openPlesk({
        ...reach,
        keys: { tyrol: 'key' },
        certificates: { tyrol: panel.fingerprint },
        timeoutMs: 5_000,
      }),
      dns: openDns({ servers: [names.server], timeoutMs: 150 }),
      prober: openProber({ ...reach, deadlineMs: 1_000, resumes: false }),
      pages: openPageFetcher(reach),
    }
    onTestFinished(async () => {
      await opened.plesk.close()
      opened.dns.close()
      await opened.prober.close()
      opened.pages.close()
    })
    return opened
  }

  const at = { clock: start, web: 0, logged: 0 }
  const context = createContext(database, null, () => new Date(at.clock))
  const [node] = await db
    .insert(nodes)
    .values({ name: 'tyrol', plesk_fqdn: 'panel.test', address: '192.0.2.11' })
    .returning({ id: nodes.id })

  beforeEach(async () => {
    at.clock = start
    names.state.zone = zone
    answerOf.site = (response) => void response.setHeader('content-type', 'text/html').end(hello)
    panel.answers.clear()
    panel.answers.set('GET /api/v2/domains?name=hotel.test', [domain])
    panel.answers.set('GET /api/v2/domains', [domain, { id: 8, name: 'alt.hotel.test', base_domain_id: 7 }])
    panel.answers.set('GET /api/v2/domains/7/status', { status: 'active' })
    panel.answers.set(command, info('2.0 MB'))
    await db.delete(webs)
    const [made] = await db
      .insert(webs)
      .values({
        fqdn: 'hotel.test',
        fqdn_ascii: 'hotel.test',
        customer: 'ALPEN',
        configured_ip: '192.0.2.7',
        node_id: node?.id ?? null,
        updated_at: new Date(start - hour),
      })
      .returning({ id: webs.id })
    at.web = made?.id ?? 0
  })

  async function refresh(
    by: number | null = null,
    connectTo?: string,
    signal = new AbortController().signal,
  ) {
    const { state, problems } = await refreshWeb(context, tools(connectTo), at.web, {
      requestedBy: by,
      signal,
    })
    return { state, problems: problems.map(englishText) }
  }
  const known = async () => {
    const [row] = await db.select().from(webs).where(eq(webs.id, at.web))
    if (!row) throw new Error('The web is gone')
    return row
  }
  return {
    at,
    ends,
    port,
    panel,
    names,
    webAt,
    answerOf,
    /** @param by who asks; the schedule unless told otherwise */
    refresh,
    known,
    async facts() {
      const rows = await db
        .select()
        .from(webFacts)
        .where(eq(webFacts.web_id, at.web))
        .orderBy(asc(webFacts.fact))
      return Object.fromEntries(
        rows.map(({ fact, seen_at, tried_at, error }) => [fact, { seen_at, tried_at, error }]),
      )
    },
    /** As it stands an hour after a first good look; the log is read from here on. */
    async seenBefore() {
      await refresh()
      const before = await known()
      at.clock += hour
      const [newest] = await db.select({ id: max(logEntries.id) }).from(logEntries)
      at.logged = newest?.id ?? 0
      return before
    },
    /** What the log tells of the web since `seenBefore`. */
    logged: () =>
      db
        .select()
        .from(logEntries)
        .where(
          and(
            gt(logEntries.id, at.logged),
            eq(logEntries.subject_type, 'web'),
            eq(logEntries.subject_id, at.web),
          ),
        )
        .orderBy(asc(logEntries.id)),
  }
}
