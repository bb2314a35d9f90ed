import { randomBytes } from 'node:crypto'
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
import { createSecretBox } from '../src/platform/secret-box.ts'
import { refreshWeb } from '../src/webs/index.ts'
import { addWeb } from './web-row.ts'

export const page = '<meta name="generator" content="TYPO3 CMS"><h1>Hotel</h1>'
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
/** Plesk's command that describes a domain as text. */
export const infoCommand = 'POST /api/v2/cli/domain/call'
export const pleskInfo = (size: string) => ({
  code: 0,
  stdout: `FTP Login: hotel_1\nDisk space used by httpdocs: ${size}`,
})
/** Opens the keys of panels that tests store. */
export const box = createSecretBox([randomBytes(32)])
export const createFact = (at: number) => ({ seen_at: new Date(at), tried_at: new Date(at), error: null })

/** Starts hotel.test over TLS on loopback, with a Plesk server and a name server that work fully before each test. */
export async function setUpRefresh(database: TestDatabase) {
  const { db } = database
  const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
  const certificateEndMs = Date.now() + 40 * 86_400_000
  const site = { respond: (_: ServerResponse): void => undefined }
  const server = createServer(
    await authority.issue({ names: ['hotel.test'], untilMs: certificateEndMs - Date.now() }),
    (_, response) => site.respond(response),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const pleskServer = await startPleskServer('panel.test')
  const dnsServer = await startDnsServer({})
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await pleskServer.stop()
    await dnsServer.stop()
  })
  const webAddress = `hotel.test:443::${port}`
  const tools = (connectTo = webAddress) => {
    const options = {
      connectTo: `panel.test:8443:127.0.0.1:${pleskServer.port},${connectTo}`,
      dnsServers: [dnsServer.server],
      authorities: [authority.cert],
    }
    const opened = {
      plesk: openPlesk({
        ...options,
        keys: { tyrol: 'key' },
        certificates: { tyrol: pleskServer.fingerprint },
        timeoutMs: 5_000,
      }),
      dns: openDns({ servers: [dnsServer.server], timeoutMs: 150 }),
      prober: openProber({ ...options, deadlineMs: 1_000, resumes: false }),
      pages: openPageFetcher(options),
      secretBox: box,
      secrets: [],
    }
    onTestFinished(async () => {
      await opened.plesk.close()
      opened.dns.close()
      await opened.prober.close()
      opened.pages.close()
    })
    return opened
  }

  const fixture = { clock: start, web: 0, lastLogId: 0 }
  const context = createContext(database, null, () => new Date(fixture.clock))
  const [node] = await db
    .insert(nodes)
    .values({ name: 'tyrol', plesk_fqdn: 'panel.test', address: '192.0.2.11' })
    .returning({ id: nodes.id })

  beforeEach(async () => {
    fixture.clock = start
    dnsServer.state.zone = zone
    site.respond = (response) => void response.setHeader('content-type', 'text/html').end(page)
    pleskServer.responses.clear()
    pleskServer.responses.set('GET /api/v2/domains?name=hotel.test', [domain])
    pleskServer.responses.set('GET /api/v2/domains', [
      domain,
      { id: 8, name: 'alt.hotel.test', base_domain_id: 7 },
    ])
    pleskServer.responses.set('GET /api/v2/domains/7/status', { status: 'active' })
    pleskServer.responses.set(infoCommand, pleskInfo('2.0 MB'))
    await db.delete(webs)
    fixture.web = await addWeb(database, 'hotel.test', {
      node_id: node?.id ?? null,
      updated_at: new Date(start - hour),
    })
  })

  async function refresh(
    by: number | null = null,
    connectTo?: string,
    signal = new AbortController().signal,
  ) {
    const { state, problems } = await refreshWeb(context, tools(connectTo), fixture.web, {
      requestedBy: by,
      signal,
    })
    return { state, problems: problems.map(englishText) }
  }
  const readWeb = async () => {
    const [row] = await db.select().from(webs).where(eq(webs.id, fixture.web))
    if (!row) throw new Error('The web is gone')
    return row
  }
  return {
    fixture,
    certificateEndMs,
    port,
    pleskServer,
    dnsServer,
    webAddress,
    site,
    /** @param by the id of the user who requests it; null for the schedule */
    refresh,
    readWeb,
    async readFacts() {
      const rows = await db
        .select()
        .from(webFacts)
        .where(eq(webFacts.web_id, fixture.web))
        .orderBy(asc(webFacts.fact))
      return Object.fromEntries(
        rows.map(({ fact, seen_at, tried_at, error }) => [fact, { seen_at, tried_at, error }]),
      )
    },
    /** Refreshes, moves the clock by an hour and starts `readLogEntries` anew. @returns the web */
    async refreshOnce() {
      await refresh()
      const before = await readWeb()
      fixture.clock += hour
      const [newest] = await db.select({ id: max(logEntries.id) }).from(logEntries)
      fixture.lastLogId = newest?.id ?? 0
      return before
    },
    readLogEntries: () =>
      db
        .select()
        .from(logEntries)
        .where(
          and(
            gt(logEntries.id, fixture.lastLogId),
            eq(logEntries.subject_type, 'web'),
            eq(logEntries.subject_id, fixture.web),
          ),
        )
        .orderBy(asc(logEntries.id)),
  }
}
