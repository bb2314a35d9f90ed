import { message } from '@kustos/contract/messages'
import {
  inspections,
  logEntries,
  probeRounds,
  repositories,
  statistics,
  webFacts,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rememberRepository } from '../src/bitbucket/repository-row.ts'
import { defaultWebCheck } from '../src/checks/index.ts'
import { storeFactChecks } from '../src/inspections/index.ts'
import { dayOf } from '../src/monitoring/day.ts'
import { ensurePartition } from '../src/monitoring/partitions.ts'
import { createResultBuffer } from '../src/monitoring/result-buffer.ts'
import { withAudit } from '../src/platform/audit.ts'
import { createContext } from '../src/platform/context.ts'
import { storedMessage, storedProblems } from '../src/platform/stored-message.ts'
import { addWeb } from './web-row.ts'

const database = await testDatabase()
const { db } = database
const context = createContext(database)
const noAbort = new AbortController().signal

/** Text of other systems that Postgres refuses: NUL in any text, half of a surrogate pair in JSON. */
const hostile = 'no\u0000pe \ud83d'
const stored = 'no\ufffdpe \ufffd'
const problem = message('service_failed', { reason: hostile })
const storedProblem = { code: 'service_failed', params: { reason: stored } }

test('why a probe failed is stored, whatever the server said', async () => {
  const web = await addWeb(database, 'probe.test')
  const round = new Date('2026-11-23T08:00:00Z')
  await ensurePartition(db, dayOf(round))
  await db.insert(probeRounds).values({ round_at: round, interval_seconds: 60, shards: 1 })
  const results = createResultBuffer(
    context,
    { at: round, intervalMs: 60_000 },
    { internalMarker: '', onOpened: () => undefined, signal: noAbort },
  )
  const facts = {
    id: web,
    fqdn: 'probe.test',
    http_status_code: null,
    cert_ca: null,
    cert_from: null,
    cert_expiration: null,
  }
  const checked = { ...facts, check: defaultWebCheck, url: 'a.test/', seenUrl: null }
  const reason = { code: 'handshake_failed', params: { detail: hostile } } as const
  const certificate = { authority: hostile, from: round, expiration: round, fingerprint: 'AA' }
  const response = { isBlank: false, problem: null, texts: [] }
  const probed = { ...response, startedAt: round, status: null, reason, milliseconds: 7, certificate }
  results.add(checked, { probed, state: 'down', reason }, 'unconfirmed')
  await results.close()
  expect(await db.select().from(statistics)).toMatchObject([
    { reason: expect.stringContaining(stored), reason_params: { detail: stored } },
  ])
  expect(await db.select().from(webs)).toMatchObject([{ cert_ca: stored }])
})

test('facts, problems and names of a web are stored, whatever the page or Plesk said', async () => {
  const sites = [{ fqdn: hostile }]
  const id = await addWeb(database, 'facts.test', { framework_version: hostile, sites })
  await storeFactChecks(db, id, new Date(), [{ fact: 'plesk', seen: false, problems: [problem, problem] }])
  const problems = storedProblems([problem])
  await db.insert(inspections).values({ web_id: id, kind: 'refresh', ...problems, created_at: new Date() })
  expect(await db.query.webs.findFirst({ where: (web, { eq }) => eq(web.id, id) })).toMatchObject({
    framework_version: stored,
    sites: [{ fqdn: stored }],
  })
  expect(await db.select().from(webFacts)).toMatchObject([
    { error: `${stored} ${stored}`, error_params: { first: storedProblem } },
  ])
  expect(await db.select().from(inspections)).toMatchObject([
    { problems: [stored], problem_codes: [storedProblem] },
  ])
})

test('a repository is remembered, whatever its description', async () => {
  await rememberRepository(db, {
    name: 'web134-x.test',
    description: hostile,
    html_url: 'https://bitbucket.test/w/web134-x.test',
    clone_url: 'https://bitbucket.test/w/web134-x.test.git',
    parent: null,
    fork_policy: null,
    created_on: new Date(),
    project: { key: 'W', name: 'Webs' },
    updated_on: new Date(),
  })
  expect(await db.select().from(repositories)).toMatchObject([{ description: stored }])
})

test('the audit log takes any text, also as the name of a field', async () => {
  await withAudit(context, (tx) =>
    tx.record({ log: 'webs', description: 'updated', attributes: { comment: hostile, [hostile]: 1 } }),
  )
  expect(await db.select().from(logEntries)).toMatchObject([
    { properties: { attributes: { comment: stored, [stored]: 1 } } },
  ])
})

test('texts that only look like it stay as they are', async () => {
  const { error, error_params: params } = storedMessage(
    'error',
    message('service_failed', { reason: 'C:\\u0000 \\ud83d 😀' }),
  )
  const { rows } = await db.execute(
    sql`select ${error}::text as text, ${sql.param([error])}::text[] as texts, ${JSON.stringify(params)}::jsonb as json`,
  )
  expect(rows).toEqual([{ text: error, texts: [error], json: params }])
})
