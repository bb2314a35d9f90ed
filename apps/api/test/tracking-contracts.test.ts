import type {
  ContractDraft,
  CustomerContract,
  TrackingDrift,
  WebContract,
} from '@kustos/contract/tracking-contracts'
import { trackingAudits, trackingDifferences, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { importWebs } from '@kustos/domain/imports'
import { scheduleRechecks } from '@kustos/domain/tracking-contracts'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { only } from './logged-fixtures.ts'
import { ofCustomer, ofWeb, openTrackingContracts, pixel, statesOf, usual } from './tracking-contract-kit.ts'

const database = await testDatabase()
const { db } = database
const { admin, clientOf, now, advanceMs, reset, ...kit } = await openTrackingContracts(database)
const { context, tools, audit, saveDraft, readContract, readDrift, listEntries, listMessages } = kit
const watcher = await clientOf('watcher', ['view webs'])
const seller = await clientOf('seller', ['view customers', 'edit customers'])
const minuteMs = 60_000
const hourMs = 60 * minuteMs

let [first, second] = [0, 0]
beforeEach(async () => {
  ;[first, second] = await reset()
})

const later = (durationMs: number) => new Date(now().getTime() + durationMs)

/** A confirmed difference of the first web: a tag that nobody has agreed on. */
async function confirmPixel() {
  await audit(first, usual())
  await audit(second, usual())
  await saveDraft()
  await audit(first, [...usual(), pixel])
  await audit(first, [...usual(), pixel])
  return only((await readDrift(first)).differences)
}

describe('a draft', () => {
  it('makes what differs between webs overrides, and is kept by all of them', async () => {
    await audit(first, usual())
    await audit(second, usual('G-BBBB222'))
    const draft = await saveDraft()
    expect(draft).toMatchObject({ audited: 2, unaudited: 0, left_out: [] })
    expect(draft.overrides).toMatchObject([{ web_id: second, fqdn: 'b.test' }])
    const contract = await readContract()
    expect(contract.own).toMatchObject({
      consent_tool: 'Usercentrics',
      consent_tool_version: '3',
      googleanalytics: ['G-AAAA111'],
      facebookads: [],
      hosts: null,
    })
    expect(contract.webs).toMatchObject([
      { fqdn: 'a.test', state: 'keeps', differences: 0, overrides: [] },
      { fqdn: 'b.test', state: 'keeps', differences: 0, overrides: ['googleanalytics'] },
    ])
    const { effective, own } = await admin.json<WebContract>(ofWeb(second))
    expect(effective).toMatchObject({ consent_tool: 'Usercentrics', googleanalytics: ['G-BBBB222'] })
    expect(own).toMatchObject({ consent_tool: null, googleanalytics: ['G-BBBB222'] })
  })

  it('is made of complete audits rather than of later partial ones', async () => {
    await audit(first, usual())
    await audit(first, [pixel], { outcome: 'partial' })
    await audit(second, [], { outcome: 'failed' })
    const draft = await admin.json<ContractDraft>(`${ofCustomer}/draft`)
    expect(draft).toMatchObject({ audited: 1, unaudited: 1, settings: { facebookads: [] } })
    await audit(first, [pixel], { outcome: 'partial', complete: true })
    const later = await admin.json<ContractDraft>(`${ofCustomer}/draft`)
    expect(later.settings.facebookads).toEqual(['123456789012345'])
  })
})

it('of a customer with thousands of webs is saved with what each of them has for itself', async () => {
  const facts = { configured_ip: '192.0.2.1', customer: 'ALPEN', status: 0, domain_status: 1 }
  const fqdns = Array.from({ length: 2_000 }, (_, n) => `many-${n}.test`)
  const rows = await db
    .insert(webs)
    .values(fqdns.map((fqdn) => ({ ...facts, fqdn, fqdn_ascii: fqdn })))
    .returning({ id: webs.id })
  const { settings } = await admin.json<ContractDraft>(`${ofCustomer}/draft`)
  const overrides = rows.map(({ id }) => ({ web_id: id, ...settings, googleanalytics: [`G-${id}`] }))
  expect((await admin.send('PUT', ofCustomer, { ...settings, overrides })).status).toBe(204)
  const { own } = await admin.json<WebContract>(ofWeb(rows.at(-1)?.id ?? 0))
  expect(own.googleanalytics).toEqual([`G-${rows.at(-1)?.id}`])
})

describe('a later draft', () => {
  const own = { gtm: ['GTM-OWN1234'], googleanalytics: ['G-BBBB222'] }

  it('names what webs would have for themselves no longer', async () => {
    await audit(first, usual())
    await audit(second, usual('G-BBBB222'))
    expect((await saveDraft()).replaced).toEqual([])
    advanceMs(minuteMs)
    expect((await admin.send('PUT', ofWeb(second), own)).status).toBe(204)
    const { replaced } = await admin.json<ContractDraft>(`${ofCustomer}/draft`)
    expect(replaced).toEqual([{ web_id: second, fqdn: 'b.test', fields: ['gtm'] }])
  })

  it('is refused if what a web has for itself has changed since', async () => {
    await audit(first, usual())
    const { settings, overrides, overrides_updated_at } = await admin.json<ContractDraft>(
      `${ofCustomer}/draft`,
    )
    expect(overrides_updated_at).toBeNull()
    expect((await admin.send('PUT', ofWeb(second), own)).status).toBe(204)
    const body = { ...settings, overrides }
    const stale = await admin.send('PUT', ofCustomer, { ...body, overrides_updated_at })
    expect([stale.status, (await readContract()).own.consent_tool]).toEqual([409, null])
    expect((await admin.json<WebContract>(ofWeb(second))).own).toMatchObject(own)
    const latest = await admin.json<ContractDraft>(`${ofCustomer}/draft`)
    const fresh = { ...body, overrides_updated_at: latest.overrides_updated_at }
    expect((await admin.send('PUT', ofCustomer, fresh)).status).toBe(204)
    expect((await admin.json<WebContract>(ofWeb(second))).own.gtm).toBeNull()
  })
})

describe('a change of the contract', () => {
  const partial = { outcome: 'partial' } as const
  const edit = async (settings: object) =>
    expect((await admin.send('PUT', ofWeb(first), settings)).status).toBe(204)

  it('ends nothing that the latest audit could not see, unless it agrees with that', async () => {
    await audit(first, usual())
    await saveDraft()
    const drifted = [...usual().slice(0, 1), pixel]
    for (let count = 0; count < 2; count++) await audit(first, drifted)
    const { differences } = await readDrift(first)
    expect(differences).toMatchObject([{ subject: 'googleanalytics' }, { subject: 'facebookads' }])
    await audit(first, usual().slice(0, 1), partial)
    await edit({ matomo: ['1'] })
    expect((await readDrift(first)).differences).toEqual(differences)
    await edit({ matomo: ['1'], facebookads: ['123456789012345'] })
    expect((await readDrift(first)).differences).toEqual(differences.slice(0, 1))
    await edit({ googleanalytics: [] })
    expect((await readDrift(first)).differences).toEqual([])
    expect(await listMessages()).toHaveLength(1)
  })

  it('ends nothing that only one audit has not shown', async () => {
    const { id } = await confirmPixel()
    await audit(first, usual())
    await edit({ before_consent: ['gtm'] })
    const { differences, recheck_at } = await readDrift(first)
    expect(differences).toMatchObject([{ id, state: 'confirmed' }])
    expect(recheck_at).not.toBeNull()
    await audit(first, [...usual(), pixel])
    expect(await readDrift(first)).toMatchObject({ state: 'differs', differences: [{ id }] })
    expect(await listMessages()).toHaveLength(1)
  })
})

describe('the state of a web', () => {
  it('is known for some days, unless the latest audit has failed, with the time of the audit that shows it', async () => {
    await audit(first, usual())
    const audited_at = now().toISOString()
    advanceMs(minuteMs)
    await saveDraft()
    expect(await readDrift(first)).toMatchObject({ state: 'keeps', audited_at, is_complete: true })
    expect((await readContract()).webs).toMatchObject([
      { state: 'keeps', audited_at, is_complete: true },
      { state: 'unknown', audited_at: null, is_complete: null },
    ])
    await audit(first, [], { outcome: 'failed' })
    expect(await readDrift(first)).toMatchObject({ state: 'unknown', audited_at })
    await audit(first, usual(), { outcome: 'partial' })
    const latest = { audited_at: now().toISOString(), is_complete: false }
    expect(await readDrift(first)).toMatchObject({ state: 'keeps', ...latest })
    expect((await readContract()).webs?.[0]).toMatchObject({ state: 'keeps', ...latest })
    await db.update(trackingAudits).set({ audited_at: later(-56 * hourMs) })
    // To judge it again makes it no newer.
    expect((await admin.send('PUT', ofWeb(first), { matomo: [] })).status).toBe(204)
    expect((await readDrift(first)).state).toBe('unknown')
    expect(statesOf(await readContract())).toEqual(['unknown', 'unknown'])
  })
})

describe('what somebody agrees to', () => {
  it('is in the contract of the web, and ends at once', async () => {
    const { id } = await confirmPixel()
    const path = `/api/webs/${first}/tracking/agreements`
    expect((await admin.send('POST', path, { difference: id, scope: 'web' })).status).toBe(204)
    expect(await readDrift(first)).toMatchObject({ state: 'keeps', differences: [] })
    expect(await listEntries()).toEqual([])
    expect((await admin.json<WebContract>(ofWeb(first))).own.facebookads).toEqual(['123456789012345'])
    expect((await readContract()).own.facebookads).toEqual([])
    // The channels are notified with the next audit.
    await audit(first, [...usual(), pixel])
    expect(await listMessages()).toHaveLength(2)
    const again = await admin.send('POST', path, { difference: id, scope: 'web' })
    expect([again.status, ((await again.json()) as { error: string }).error]).toEqual([
      409,
      'This difference has ended in the meantime. Nothing was changed.',
    ])
  })

  it('is added to what the web has for itself if it is agreed with the customer', async () => {
    await confirmPixel()
    const own = { facebookads: ['999'] }
    expect((await admin.send('PUT', ofWeb(first), own)).status).toBe(204)
    expect((await admin.send('PUT', ofWeb(second), own)).status).toBe(204)
    await audit(second, [...usual(), pixel])
    const { id } = only((await readDrift(first)).differences)
    const path = `/api/webs/${first}/tracking/agreements`
    expect((await admin.send('POST', path, { difference: id, scope: 'customer' })).status).toBe(204)
    expect(statesOf(await readContract())).toEqual(['keeps', 'keeps'])
    expect((await readContract()).own.facebookads).toEqual(['123456789012345'])
    for (const web of [first, second])
      expect((await admin.json<WebContract>(ofWeb(web))).own.facebookads).toEqual(['123456789012345'])
  })

  it('of a host is added to those of the customer, and follows these', async () => {
    expect((await admin.send('PUT', ofCustomer, { hosts: ['cdn.test'] })).status).toBe(204)
    const hosts = ['cdn.test', 'maps.test']
    await audit(first, usual(), { hosts })
    const { id } = only((await readDrift(first)).differences)
    const path = `/api/webs/${first}/tracking/agreements`
    expect((await admin.send('POST', path, { difference: id, scope: 'web' })).status).toBe(204)
    expect(await admin.json<WebContract>(ofWeb(first))).toMatchObject({
      own: { hosts: ['maps.test'] },
      effective: { hosts },
    })
    await audit(first, usual(), { hosts: [...hosts, 'fonts.test'] })
    const later = only((await readDrift(first)).differences)
    expect((await admin.send('POST', path, { difference: later.id, scope: 'customer' })).status).toBe(204)
    expect((await readContract()).own.hosts).toEqual(['cdn.test', 'fonts.test'])
    expect(await readDrift(first)).toMatchObject({ state: 'keeps', differences: [] })
  })

  it('ends at all webs if it is agreed with the customer', async () => {
    const { id } = await confirmPixel()
    await audit(second, [...usual(), pixel])
    const path = `/api/webs/${first}/tracking/agreements`
    expect((await admin.send('POST', path, { difference: id, scope: 'customer' })).status).toBe(204)
    expect(statesOf(await readContract())).toEqual(['keeps', 'keeps'])
    expect((await readContract()).own.facebookads).toEqual(['123456789012345'])
  })

  it('is missing at once at other webs of the customer that do not have it', async () => {
    const { id } = await confirmPixel()
    await audit(second, usual())
    const path = `/api/webs/${first}/tracking/agreements`
    expect((await admin.send('POST', path, { difference: id, scope: 'customer' })).status).toBe(204)
    expect(statesOf(await readContract())).toEqual(['keeps', 'pending'])
    expect((await readDrift(second)).differences).toMatchObject([
      { kind: 'missing', subject: 'facebookads', expected: ['123456789012345'] },
    ])
  })
})

it.each(['agreements', 'exceptions'])(
  'waits for an audit of the web that is being stored: %s',
  async (what) => {
    const { id } = await confirmPixel()
    const body = { difference: id, scope: 'web', until: later(hourMs).toISOString(), reason: 'Trial' }
    let response: Promise<Response> | undefined
    await db.transaction(async (tx) => {
      await tx.select({ id: webs.id }).from(webs).where(eq(webs.id, first)).for('no key update')
      response = admin.send('POST', `/api/webs/${first}/tracking/${what}`, body)
      await expect.poll(database.waitingStatements).toHaveLength(1)
      await tx.update(trackingDifferences).set({ ended_at: now() }).where(eq(trackingDifferences.id, id))
    })
    // The audit has ended it.
    expect((await response)?.status).toBe(409)
    expect(await readDrift(first)).toMatchObject({ exceptions: [] })
    expect((await readContract()).own.facebookads).toEqual([])
  },
)

describe('an exception', () => {
  it('ends a difference until its time, at this web', async () => {
    const { id } = await confirmPixel()
    const path = `/api/webs/${first}/tracking/exceptions`
    const until = later(3 * hourMs).toISOString()
    const reason = 'The campaign runs until then'
    const created = await admin.send('POST', path, { difference: id, scope: 'web', until, reason })
    expect(created.status).toBe(201)
    expect(await readDrift(first)).toMatchObject({
      state: 'keeps',
      differences: [],
      exceptions: [
        {
          scope: 'web',
          until,
          reason,
          difference: 'Facebook Ads is not agreed (found: 123456789012345)',
          created_by: { email: 'admin@kustos.test' },
        },
      ],
    })
    await audit(first, [...usual(), pixel], { afterMs: hourMs })
    expect((await readDrift(first)).state).toBe('keeps')
    await audit(first, [...usual(), pixel], { afterMs: 3 * hourMs })
    expect(await readDrift(first)).toMatchObject({ state: 'pending', exceptions: [] })
  })

  it.each(['web', 'customer'])('of a %s counts until its time, also without another audit', async (scope) => {
    const { id } = await confirmPixel()
    const path = `/api/webs/${first}/tracking/exceptions`
    const until = later(3 * hourMs).toISOString()
    const body = { difference: id, scope, until, reason: 'The campaign runs until then' }
    expect((await admin.send('POST', path, body)).status).toBe(201)
    advanceMs(3 * hourMs - 1)
    expect(await scheduleRechecks(context, tools)).toBeNull()
    expect(await readDrift(first)).toMatchObject({ state: 'keeps', differences: [] })
    advanceMs(1)
    expect(await scheduleRechecks(context, tools)).toBeNull()
    const recheck_at = later(10 * minuteMs).toISOString()
    expect(await readDrift(first)).toMatchObject({
      state: 'pending',
      recheck_at,
      differences: [{ subject: 'facebookads' }],
      exceptions: [],
    })
    expect((await readDrift(second)).state).toBe('keeps')
    // Once is enough.
    advanceMs(5 * minuteMs)
    expect(await scheduleRechecks(context, tools)).toBeNull()
    expect(await readDrift(first)).toMatchObject({ recheck_at })
    advanceMs(5 * minuteMs)
    expect(await scheduleRechecks(context, tools)).toEqual({ requested: 1 })
  })

  it('is made once, even if several users allow the difference at the same time', async () => {
    const { id } = await confirmPixel()
    const path = `/api/webs/${first}/tracking/exceptions`
    const body = { difference: id, scope: 'web', until: later(hourMs).toISOString(), reason: 'Trial' }
    const responses = await Promise.all(Array.from({ length: 4 }, () => admin.send('POST', path, body)))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect((await readDrift(first)).exceptions).toHaveLength(1)
  })

  it('of the customer holds at all its webs, and can be ended', async () => {
    const { id } = await confirmPixel()
    const path = `/api/webs/${first}/tracking/exceptions`
    const body = { difference: id, scope: 'customer', until: later(hourMs).toISOString(), reason: 'Trial' }
    const created = (await (await admin.send('POST', path, body)).json()) as { id: number }
    await audit(second, [...usual(), pixel])
    expect(statesOf(await readContract())).toEqual(['keeps', 'keeps'])
    expect((await admin.send('DELETE', `${path}/${created.id}`)).status).toBe(204)
    expect(statesOf(await readContract())).toEqual(['pending', 'pending'])
    expect((await admin.send('DELETE', `${path}/${created.id}`)).status).toBe(404)
  })

  it('of an id that was found instead of another one is one of that, too, but of no other', async () => {
    const more = usual('G-BBBB222').slice(1)
    await audit(first, [...usual(), ...more])
    await saveDraft()
    const replaced = [...usual('G-EVIL999'), ...more]
    for (let count = 0; count < 2; count++) await audit(first, replaced)
    const { id } = only((await readDrift(first)).differences)
    const body = { difference: id, scope: 'web', until: later(hourMs).toISOString(), reason: 'Trial' }
    expect((await admin.send('POST', `/api/webs/${first}/tracking/exceptions`, body)).status).toBe(201)
    await audit(first, replaced)
    expect(await readDrift(first)).toMatchObject({ state: 'keeps', differences: [] })
    await audit(first, usual('G-EVIL999'))
    expect((await readDrift(first)).differences).toMatchObject([{ kind: 'missing', expected: ['G-BBBB222'] }])
  })

  it('needs a reason, and a time ahead', async () => {
    const { id } = await confirmPixel()
    const path = `/api/webs/${first}/tracking/exceptions`
    const body = { difference: id, scope: 'web', until: now().toISOString(), reason: 'Trial' }
    const past = await admin.send('POST', path, body)
    expect([past.status, await past.json()]).toMatchObject([
      422,
      { errors: { until: ['Must be in the future'] } },
    ])
    const until = later(hourMs).toISOString()
    expect((await admin.send('POST', path, { ...body, until, reason: ' ' })).status).toBe(422)
  })
})

describe('a contract', () => {
  it('is refused if it has changed meanwhile, also if it was added by someone else', async () => {
    const body = { consent_tool: 'Usercentrics', updated_at: null }
    expect((await admin.send('PUT', ofCustomer, body)).status).toBe(204)
    const { updated_at } = await readContract()
    advanceMs(minuteMs)
    expect((await admin.send('PUT', ofCustomer, { ...body, consent_tool: 'Didomi' })).status).toBe(409)
    expect((await admin.send('PUT', ofCustomer, { consent_tool: 'Didomi', updated_at })).status).toBe(204)
    expect((await admin.send('PUT', ofCustomer, { consent_tool: '', updated_at })).status).toBe(409)
  })

  it('has hosts and topics in one form, and rejects others', async () => {
    const body = { before_consent: ['gtm', ' CDN.Example.com '], hosts: ['*.Müller.test', '*.müller.test'] }
    expect((await admin.send('PUT', ofCustomer, body)).status).toBe(204)
    expect((await readContract()).own).toMatchObject({
      before_consent: ['gtm', 'cdn.example.com'],
      hosts: ['*.xn--mller-kva.test'],
    })
    for (const hosts of [['a b'], ['*.'], ['https://a.test/']])
      expect((await admin.send('PUT', ofCustomer, { hosts })).status).toBe(422)
  })

  it('has no overrides of webs of other customers', async () => {
    await db.update(webs).set({ customer: 'BERG' }).where(eq(webs.id, second))
    const overrides = [{ web_id: second, gtm: ['GTM-AAAA111'] }]
    expect((await admin.send('PUT', ofCustomer, { overrides })).status).toBe(404)
    expect((await readContract()).own.gtm).toBeNull()
  })

  it('is that of webs which a merge of customers brings', async () => {
    await audit(first, usual())
    await saveDraft()
    await db.update(webs).set({ customer: 'BERG' }).where(eq(webs.id, second))
    await audit(second, [...usual(), pixel])
    expect(await readDrift(second)).toMatchObject({ state: 'unknown', has_contract: false })
    const merge = { from: 'BERG', into: 'ALPEN' }
    expect((await admin.send('POST', '/api/customers/merge', merge)).status).toBe(204)
    expect(await readDrift(second)).toMatchObject({
      state: 'pending',
      has_contract: true,
      differences: [{ kind: 'unexpected', found: ['123456789012345'] }],
    })
  })

  it.each<[string, (customer: string) => Promise<unknown>]>([
    [
      'is edited',
      (customer) =>
        admin.send('PUT', `/api/webs/${first}`, { fqdn: 'a.test', customer, configured_ip: '192.0.2.1' }),
    ],
    [
      'is imported',
      (customer) =>
        importWebs(
          kit.context,
          new TextEncoder().encode(`fqdn;customer;configured_ip\na.test;${customer};192.0.2.1\n`),
          {
            fileName: 'webs.csv',
            skipBad: false,
          },
        ),
    ],
  ])('is that of its customer as soon as a web %s', async (_, move) => {
    await confirmPixel()
    await audit(second, [...usual(), pixel])
    await move('BERG')
    expect(await readDrift(first)).toMatchObject({ state: 'unknown', has_contract: false, differences: [] })
    expect(await listEntries()).toEqual([])
    await move('ALPEN')
    expect(await readDrift(first)).toMatchObject({
      state: 'pending',
      has_contract: true,
      differences: [{ kind: 'unexpected', found: ['123456789012345'] }],
    })
  })

  it('applies to a web that is restored as it is then', async () => {
    await confirmPixel()
    expect((await admin.send('DELETE', `/api/webs/${first}`)).status).toBe(204)
    const { own, updated_at } = await readContract()
    const agreed = { ...own, facebookads: [pixel.value], updated_at }
    expect((await admin.send('PUT', ofCustomer, agreed)).status).toBe(204)
    expect((await admin.send('PUT', `/api/webs/${first}/restore`)).status).toBe(204)
    expect(await readDrift(first)).toMatchObject({ state: 'keeps', differences: [] })
    expect(await listEntries()).toEqual([])
  })

  it('that is emptied ends what differs, without a word about it', async () => {
    await confirmPixel()
    expect((await admin.send('PUT', ofCustomer, { overrides: [] })).status).toBe(204)
    expect(await readDrift(first)).toMatchObject({ state: 'unknown', has_contract: false, differences: [] })
  })

  it('is read by those who see customers, and of webs by those who see webs', async () => {
    await confirmPixel()
    expect((await watcher.send('GET', ofCustomer)).status).toBe(403)
    const contract = await seller.json<CustomerContract>(ofCustomer)
    expect([contract.own.googleanalytics, contract.webs]).toEqual([['G-AAAA111'], null])
    expect((await seller.send('GET', `${ofCustomer}/draft`)).status).toBe(403)
    expect((await seller.send('GET', ofWeb(first))).status).toBe(403)
    const drift = await watcher.json<TrackingDrift>(`/api/webs/${first}/tracking/drift`)
    expect(drift.differences).toMatchObject([{ state: 'confirmed', preceded_by: null }])
    expect((await watcher.send('PUT', ofWeb(first), { gtm: [] })).status).toBe(403)
    // Who does not see webs does not change what they have, nor learn which ones a customer has.
    for (const overrides of [[], [{ web_id: second, gtm: [] }], [{ web_id: second + 1, gtm: [] }]])
      expect((await seller.send('PUT', ofCustomer, { overrides })).status).toBe(403)
    expect((await seller.send('PUT', ofCustomer, contract.own)).status).toBe(204)
    expect((await admin.send('GET', '/api/customers/NOBODY/contract')).status).toBe(404)
    await db.update(webs).set({ deleted_at: now() }).where(eq(webs.id, first))
    for (const path of [ofWeb(first), `/api/webs/${first}/tracking/drift`])
      expect((await watcher.send('GET', path)).status).toBe(404)
  })
})
