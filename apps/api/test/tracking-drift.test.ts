import type { Inspection } from '@kustos/contract/inspections'
import {
  deployments,
  inspections,
  logEntries,
  trackingAudits,
  trackingDifferences,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { scheduleRechecks } from '@kustos/domain/tracking-contracts'
import { desc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { only } from './logged-fixtures.ts'
import { ofCustomer, ofWeb, openTrackingContracts, pixel, statesOf, usual } from './tracking-contract-kit.ts'

const database = await testDatabase()
const { db } = database
const {
  admin,
  context,
  tools,
  now,
  advanceMs,
  reset,
  audit,
  saveDraft,
  readContract,
  readDrift,
  listEntries,
  listMessages,
} = await openTrackingContracts(database)
const minuteMs = 60_000
const hourMs = 60 * minuteMs

let [first, second] = [0, 0]
beforeEach(async () => {
  ;[first, second] = await reset()
})

const later = (durationMs: number) => new Date(now().getTime() + durationMs)

describe('drift', () => {
  it('is told once a second audit confirms it, with what was expected, its evidence and what preceded it', async () => {
    await audit(first, usual())
    await audit(second, usual())
    await saveDraft()
    advanceMs(hourMs)
    // A backup changes nothing.
    const times = { created_at: now(), updated_at: now(), started_at: now(), ended_at: now() }
    await db
      .insert(deployments)
      .values({ kind: 'backupWeb', state: 'succeeded', fqdn: 'a.test', web_id: first, ...times })
    for (const [log_name, description] of [
      ['webs', 'updated'],
      ['deployment', 'backupWeb succeeded'],
    ] as const)
      await db.insert(logEntries).values({
        created_at: now(),
        log_name,
        description,
        subject_type: 'web',
        subject_id: first,
        properties: {},
      })
    await audit(first, usual('G-EVIL999'))
    const seenAt = now().toISOString()
    expect(await readDrift(first)).toMatchObject({
      state: 'pending',
      recheck_at: later(10 * minuteMs).toISOString(),
      differences: [{ state: 'pending', kind: 'wrong_id', since: seenAt }],
    })
    expect([await listEntries(), await listMessages()]).toEqual([[], []])

    await audit(first, usual('G-EVIL999'))
    const reason = 'Google Analytics has the id G-EVIL999 instead of G-AAAA111'
    const { differences, ...drift } = await readDrift(first)
    expect(drift).toMatchObject({ state: 'differs', has_contract: true, recheck_at: null })
    expect(differences).toMatchObject([
      {
        kind: 'wrong_id',
        subject: 'googleanalytics',
        reason,
        expected: ['G-AAAA111'],
        found: ['G-EVIL999'],
        state: 'confirmed',
        since: seenAt,
        confirmed_at: now().toISOString(),
        evidence: { source: 'inline', excerpt: 'G-EVIL999' },
        preceded_by: { deployment: null, entry: { description: 'updated' } },
      },
    ])
    expect(await listEntries()).toMatchObject([
      {
        subject: 'a.test',
        web_id: first,
        customer: 'ALPEN',
        since: expect.stringContaining(seenAt.slice(0, 19)),
        reason,
        reason_code: 'drift_wrong_id',
      },
    ])
    expect(await listMessages()).toMatchObject([
      {
        title: 'The tracking of a.test differs from its contract',
        lines: expect.arrayContaining([reason, expect.stringMatching(/^Preceding event: updated at/)]),
        url: `https://kustos.test/hosting/tracking/${first}`,
      },
    ])
    expect(statesOf(await readContract())).toEqual(['differs', 'keeps'])

    await audit(first, usual('G-EVIL999'))
    expect(await listMessages()).toHaveLength(1)
    await audit(first, usual())
    expect(await listEntries()).toHaveLength(1)
    await audit(first, usual())
    expect(await listEntries()).toEqual([])
    expect((await listMessages()).map(({ title }) => title)).toEqual([
      'The tracking of a.test differs from its contract',
      'The tracking of a.test no longer differs from its contract in this respect',
    ])
    await audit(first, usual())
    expect(await listMessages()).toHaveLength(2)
    const logged = await db
      .select()
      .from(logEntries)
      .where(eq(logEntries.log_name, 'tracking'))
      .orderBy(logEntries.id)
    expect(logged.slice(-2).map(({ description, causer_id }) => [description, causer_id])).toEqual([
      ['drift confirmed', null],
      ['drift ended', null],
    ])
  })

  it('is alerted after maintenance, if it is still there', async () => {
    await audit(first, usual())
    await audit(second, usual())
    await saveDraft()
    const [starts_at, ends_at] = [later(0).toISOString(), later(hourMs).toISOString()]
    const window = { reason: 'Relaunch', repeats: 'once', webs: [first, second], starts_at, ends_at }
    expect((await admin.send('POST', '/api/maintenance-windows', window)).status).toBe(201)
    for (const web of [first, second])
      for (let audits = 0; audits < 2; audits++) await audit(web, [...usual(), pixel])
    expect(await readDrift(first)).toMatchObject({ state: 'differs', recheck_at: ends_at })
    expect(await listMessages()).toEqual([])
    // Also if the contract changes meanwhile.
    expect((await admin.send('PUT', ofWeb(first), { matomo: [] })).status).toBe(204)
    expect(await readDrift(first)).toMatchObject({ state: 'differs', recheck_at: ends_at })
    await audit(second, usual())
    await audit(second, usual())
    expect(await readDrift(second)).toMatchObject({ state: 'keeps' })
    advanceMs(hourMs)
    expect(await scheduleRechecks(context, tools)).toEqual({ requested: 1 })
    await audit(first, [...usual(), pixel])
    await audit(second, usual())
    expect((await listMessages()).map(({ title }) => title)).toEqual([
      'The tracking of a.test differs from its contract',
    ])
  })

  it('is audited again at once if maintenance is ended early, for all of its webs or for one', async () => {
    await audit(first, usual())
    await audit(second, usual())
    await saveDraft()
    const path = '/api/maintenance-windows'
    const [starts_at, ends_at] = [later(0).toISOString(), later(hourMs).toISOString()]
    const window = { reason: 'Relaunch', repeats: 'once', webs: [first, second], starts_at, ends_at }
    const { id } = (await (await admin.send('POST', path, window)).json()) as { id: number }
    for (const web of [first, second])
      for (let audits = 0; audits < 2; audits++) await audit(web, [...usual(), pixel])
    const rechecks = async () => [(await readDrift(first)).recheck_at, (await readDrift(second)).recheck_at]
    advanceMs(minuteMs)
    expect((await admin.send('POST', `/api/webs/${first}/end-maintenance`)).status).toBe(204)
    expect(await rechecks()).toEqual([later(0).toISOString(), ends_at])
    expect(await scheduleRechecks(context, tools)).toEqual({ requested: 1 })
    await audit(first, [...usual(), pixel])
    expect(await listMessages()).toHaveLength(1)
    const other = { ...window, webs: [second], ends_at: later(minuteMs).toISOString() }
    expect((await admin.send('POST', path, other)).status).toBe(201)
    expect((await admin.send('POST', `${path}/${id}/end`)).status).toBe(204)
    expect(await rechecks()).toEqual([null, other.ends_at])
  })

  it('of an id that is missing is told also if another one beside it was told before', async () => {
    const ids = (...values: string[]) => values.flatMap((value) => usual(value).slice(1))
    const all = [...usual('G-AAAA111'), ...ids('G-BBBB222')]
    await audit(first, all)
    await saveDraft()
    for (let count = 0; count < 2; count++) await audit(first, [...all, ...ids('G-CCCC333')])
    for (let count = 0; count < 2; count++) await audit(first, [...usual('G-AAAA111'), ...ids('G-CCCC333')])
    expect((await listEntries()).map(({ reason }) => reason).sort()).toEqual([
      'Google Analytics is missing (agreed: G-BBBB222)',
      'Google Analytics is not agreed (found: G-CCCC333)',
    ])
    expect(await listMessages()).toHaveLength(2)
  })

  it('makes no noise if the second audit does not show it', async () => {
    await audit(first, usual())
    await saveDraft()
    await audit(first, [...usual(), pixel])
    await audit(first, usual())
    expect(await readDrift(first)).toMatchObject({ state: 'keeps', differences: [], recheck_at: null })
    expect([await db.select().from(trackingDifferences), await listMessages()]).toEqual([[], []])
  })

  it('asks for the second audit by itself, and again if that has no result', async () => {
    await audit(first, usual())
    await saveDraft()
    await audit(first, [...usual(), pixel])
    expect(await scheduleRechecks(context, tools)).toBeNull()
    for (const attempt of [1, 2, 3]) {
      advanceMs(attempt === 1 ? 10 * minuteMs : hourMs)
      expect(await scheduleRechecks(context, tools)).toEqual({ requested: 1 })
      const requested = only(await db.select().from(inspections).orderBy(desc(inspections.id)).limit(1))
      const { reason, requested_by } = await admin.json<Inspection>(`/api/inspections/${requested.id}`)
      expect({ reason, requested_by }).toEqual({ reason: 'confirm_drift', requested_by: null })
      // One is under way.
      advanceMs(61 * minuteMs)
      expect(await scheduleRechecks(context, tools)).toBeNull()
      advanceMs(-61 * minuteMs)
      await db.update(inspections).set({ state: 'failed', ended_at: now() })
    }
    advanceMs(61 * minuteMs)
    expect(await scheduleRechecks(context, tools)).toBeNull()
    // The daily audit confirms it.
    await audit(first, [...usual(), pixel])
    expect((await readDrift(first)).state).toBe('differs')
  })

  it('of a page that loads from other hosts each time is followed by a few audits only, each day', async () => {
    await audit(first, usual(), { hosts: [] })
    await saveDraft()
    let count = 0
    for (const day of [1, 2]) {
      await audit(first, usual(), { hosts: [`h${++count}.test`], afterMs: 5 * hourMs })
      let rechecks = 0
      for (; (await readDrift(first)).recheck_at !== null && rechecks < 10; rechecks++) {
        advanceMs(10 * minuteMs)
        expect(await scheduleRechecks(context, tools)).toEqual({ requested: 1 })
        const { id } = only(await db.select().from(inspections).orderBy(desc(inspections.id)).limit(1))
        await db.update(inspections).set({ state: 'succeeded', ended_at: now() })
        await audit(first, usual(), { hosts: [`h${++count}.test`], inspection: id })
      }
      expect([day, rechecks]).toEqual([day, 3])
    }
    expect(await listMessages()).toEqual([])
  })

  it('of an incomplete audit is never something missing', async () => {
    await audit(first, usual())
    await saveDraft()
    await audit(first, [], { outcome: 'partial' })
    expect(await readDrift(first)).toMatchObject({ state: 'keeps', differences: [] })
    await audit(first, [], { outcome: 'failed' })
    expect(await readDrift(first)).toMatchObject({ state: 'unknown', differences: [] })
  })

  it('of an audit that could not read what hides no tracking is judged as that of any other', async () => {
    const complete = { outcome: 'partial', complete: true } as const
    await audit(first, usual(), complete)
    await saveDraft()
    await audit(first, [...usual(), pixel], complete)
    await audit(first, usual(), complete)
    expect(await readDrift(first)).toMatchObject({ state: 'keeps', differences: [], recheck_at: null })
    await audit(first, usual().slice(0, 1), complete)
    expect((await readDrift(first)).differences).toMatchObject([{ kind: 'missing', state: 'pending' }])
  })

  it('is judged again by whether the audit was complete, also if an older release has stored it', async () => {
    await audit(first, usual(), { outcome: 'partial' })
    expect((await admin.send('PUT', ofCustomer, { facebookads: ['1'] })).status).toBe(204)
    expect((await readDrift(first)).differences).toMatchObject([{ kind: 'unexpected' }])
    for (const is_complete of [true, null]) {
      await db.update(trackingAudits).set({ is_complete, outcome: is_complete === null ? 'seen' : 'partial' })
      expect((await admin.send('PUT', ofCustomer, { gtm: null })).status).toBe(204)
      expect((await admin.send('PUT', ofCustomer, { facebookads: ['1'] })).status).toBe(204)
      expect((await readDrift(first)).differences).toMatchObject([
        { kind: 'unexpected' },
        { kind: 'missing' },
      ])
    }
  })
})
