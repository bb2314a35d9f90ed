import { customers, deployments, nodes, repositories, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { at, getDeploymentId, newWeb, openDeployments, readError } from './deployments.ts'
import { repository, storeRepositories } from './repositories.ts'

const database = await testDatabase()
const { db } = database
const { cloud, all, request, insertWeb } = await openDeployments(database)
await insertWeb()
await db.insert(customers).values({ code: 'TALER', spellings: ['GIPFEL'] })

describe('a request for a new web', () => {
  test('responds with 502 until the repositories are known', async () => {
    const response = await request('newWeb', newWeb)
    expect(response.status).toBe(502)
    expect(await readError(response)).toContain('Bitbucket')
  })

  test('is accepted once out of 20 identical ones at the same time', async () => {
    await storeRepositories(
      db,
      'web134-kickstarter-base',
      'web134-bestehend.test',
      'schnuppertag-kickstarter',
    )
    await db.insert(repositories).values([repository('intranet', 'INT')])
    const responses = await Promise.all(Array.from({ length: 20 }, () => request('newWeb', newWeb)))
    expect(responses.filter((response) => response.status === 204)).toHaveLength(1)
    expect(responses.filter((response) => response.status === 409)).toHaveLength(19)
    const rows = await db.select().from(deployments).where(eq(deployments.kind, 'newWeb'))
    expect(rows).toMatchObject([{ repository: 'web134-alpenhof.test', fqdn: 'alpenhof.test', web_id: null }])
  })

  const wrong: [string, Partial<typeof newWeb>, keyof typeof newWeb][] = [
    ['a TP number without digits', { bnName: 'bn' }, 'bnName'],
    ['a TP number with a shell command', { bnName: 'bn1;rm -rf' }, 'bnName'],
    ['a TP number with a newline', { bnName: 'bn1\nx' }, 'bnName'],
    ['a domain with www', { futureDomain: 'www.neu.test' }, 'futureDomain'],
    ['an invalid domain', { futureDomain: '$(id)' }, 'futureDomain'],
    ['a domain with a path traversal', { futureDomain: '../../etc' }, 'futureDomain'],
    ['a domain that starts with -', { futureDomain: '-rf.test' }, 'futureDomain'],
    ['a domain whose repository exists', { futureDomain: 'bestehend.test' }, 'futureDomain'],
    ['a domain whose web exists', { futureDomain: 'web1.test' }, 'futureDomain'],
    ['a customer in lower case', { customer: 'alpen' }, 'customer'],
    ['a customer with 5 digits', { customer: '12345' }, 'customer'],
    ['a customer that was merged into another', { customer: 'GIPFEL' }, 'customer'],
    ['an unknown source', { sourceRepo: 'web134-nirgends' }, 'sourceRepo'],
    ['a source that is not forkable', { sourceRepo: 'intranet' }, 'sourceRepo'],
    ['the template without a trial-day name', { sourceRepo: 'schnuppertag-kickstarter' }, 'sourceRepo'],
    ['a source with a path traversal', { sourceRepo: '../intranet' }, 'sourceRepo'],
    [
      'a trial-day name from another source',
      { bnName: 'schnuppertag-gipfel', futureDomain: 'schnuppertag-gipfel' },
      'sourceRepo',
    ],
    ['two trial-day names', { bnName: 'schnuppertag-a', futureDomain: 'schnuppertag-b' }, 'futureDomain'],
    [
      'a trial-day name in capitals',
      { bnName: 'schnuppertag-Gipfel', futureDomain: 'schnuppertag-Gipfel' },
      'bnName',
    ],
  ]
  test.each(wrong)('is rejected for %s', async (_, change, field) => {
    const before = await db.$count(deployments)
    const response = await request('newWeb', { ...newWeb, futureDomain: 'ganzneu.test', ...change })
    expect(response.status).toBe(422)
    const { errors } = (await response.json()) as { errors: Record<string, string[]> }
    expect(Object.keys(errors)).toContain(field)
    expect(await db.$count(deployments)).toBe(before)
  })

  test('is accepted once per domain, from whichever source', async () => {
    await db
      .insert(repositories)
      .values([repository('web124-kickstarter-base'), repository('web134-alt.test')])
    await db
      .update(repositories)
      .set({ fork_policy: 'no_forks' })
      .where(eq(repositories.name, 'web134-alt.test'))
    const body = { ...newWeb, bnName: 'bn55', futureDomain: 'einmalig.test' }
    expect((await request('newWeb', body)).status).toBe(204)
    const again = await request('newWeb', { ...body, sourceRepo: 'web124-kickstarter-base' })
    expect(again.status).toBe(409)
    expect(await readError(again)).toBe('A request for this domain is already in progress.')
    expect(await readError(await request('newWeb', body))).toBe(
      'A request for this repository is already in progress.',
    )
    const locked = await request('newWeb', { ...body, sourceRepo: 'web134-alt.test', futureDomain: 'x.test' })
    expect(locked.status).toBe(422)
  })

  test('is accepted once per domain, however it is spelled', async () => {
    const spellings = ['jäger.test', 'xn--jger-loa.test']
    const responses = await Promise.all(
      spellings.map((futureDomain, index) =>
        request('newWeb', { ...newWeb, bnName: `bn10${index + 3}`, futureDomain }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409])
    const [accepted, refused] = responses.toSorted((a, b) => a.status - b.status)
    if (!accepted || !refused) throw new Error('There is no response')
    expect(await readError(refused)).toBe('A request for this domain is already in progress.')

    // Nor is one retried while the other is under way.
    const path = `/api/deployments/${getDeploymentId(accepted)}`
    expect((await all.send('POST', `${path}/cancel`)).status).toBe(204)
    const other = spellings[accepted === responses[0] ? 1 : 0] ?? ''
    expect((await request('newWeb', { ...newWeb, bnName: 'bn105', futureDomain: other })).status).toBe(204)
    const retried = await all.send('POST', `${path}/retry`)
    expect(retried.status).toBe(409)
    expect(await readError(retried)).toBe('A request for this domain is already in progress.')
  })

  test.each([
    ['decomposed letters', 'mu\u0308hle.test', 'bn101', 'web134-muehle.test', 'm\u00fchle.test'],
    ['full-width letters', '\uff54\uff41l.test', 'bn102', 'web134-tal.test', 'tal.test'],
  ])(
    'is accepted for a domain with %s, as its form previews it',
    async (_, futureDomain, bnName, ...stored) => {
      const response = await request('newWeb', { ...newWeb, bnName, futureDomain })
      expect(response.status).toBe(204)
      const [row] = await db
        .select({ repository: deployments.repository, fqdn: deployments.fqdn })
        .from(deployments)
        .where(eq(deployments.id, getDeploymentId(response)))
      expect([row?.repository, row?.fqdn]).toEqual(stored)
    },
  )

  test('requires a name that Bitbucket accepts and an unused system user', async () => {
    for (const futureDomain of ['café.test', `${'a'.repeat(60)}.test`]) {
      expect((await request('newWeb', { ...newWeb, futureDomain })).status, futureDomain).toBe(422)
    }
    await db
      .update(webs)
      .set({ sysuser: 'bn77' })
      .where(eq(webs.id, await insertWeb()))
    const response = await request('newWeb', { ...newWeb, bnName: 'bn77', futureDomain: 'zweiter.test' })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ errors: { bnName: [expect.stringContaining('bn77-2')] } })
  })

  test('is accepted once out of several at the same time with the same system user', async () => {
    const body = { ...newWeb, bnName: 'bn88a' }
    const domains = Array.from({ length: 8 }, (_, index) => `zugleich${index}.test`)
    const responses = await Promise.all(
      domains.map((futureDomain) => request('newWeb', { ...body, futureDomain })),
    )
    const accepted = responses.filter(({ status }) => status === 204)
    expect([accepted.length, ...new Set(responses.map(({ status }) => status))].sort()).toEqual([1, 204, 422])
    const rejected = responses.find(({ status }) => status === 422)
    expect(await rejected?.json()).toMatchObject({
      errors: {
        bnName: [
          expect.stringMatching(/^zugleich\d\.test will get the system user bn88a on n1: .* bn88a-2$/),
        ],
      },
    })
    // The same system user in another case.
    const sameUser = await request('newWeb', { ...body, bnName: 'bn88A', futureDomain: 'zugleich-auch.test' })
    expect(sameUser.status).toBe(422)

    const [first] = accepted
    if (!first) throw new Error('None was accepted')
    expect((await all.send('POST', `/api/deployments/${getDeploymentId(first)}/cancel`)).status).toBe(204)
    expect((await request('newWeb', { ...body, futureDomain: 'danach.test' })).status).toBe(204)
    const retried = await all.send('POST', `/api/deployments/${getDeploymentId(first)}/retry`)
    expect(retried.status).toBe(409)
    expect(await readError(retried)).toMatch(/^danach\.test will get the system user bn88a on n1/)
  })

  test('of a trial-day web assigns it to the operator and names it below the node', async () => {
    const trial = {
      sourceRepo: 'schnuppertag-kickstarter',
      bnName: 'schnuppertag-müsli',
      futureDomain: 'schnuppertag-müsli',
      customer: 'AGENTUR',
    }
    expect((await request('newWeb', { ...trial, customer: 'ALPEN' })).status).toBe(422)
    const response = await request('newWeb', trial)
    expect(response.status).toBe(204)
    const [row] = await db
      .select()
      .from(deployments)
      .where(eq(deployments.id, getDeploymentId(response)))
    expect(row).toMatchObject({
      repository: 'schnuppertag-muesli',
      fqdn: 'schnuppertag-muesli.n1.plesk.test',
    })
  })

  test('of a trial-day web is refused if its node has no host name to be below', async () => {
    const name = 'schnuppertag-adresse'
    const trial = {
      sourceRepo: 'schnuppertag-kickstarter',
      bnName: name,
      futureDomain: name,
      customer: 'AGENTUR',
    }
    await db.update(nodes).set({ plesk_fqdn: '192.0.2.1' }).where(eq(nodes.id, cloud.id))
    const before = await db.$count(deployments)
    const response = await request('newWeb', trial)
    expect([response.status, await readError(response)]).toEqual([
      409,
      'Trial-day webs are named below the host of their node’s panel, but n1 has only an address there: 192.0.2.1.',
    ])
    expect(await db.$count(deployments)).toBe(before)
    await db.update(nodes).set({ plesk_fqdn: 'n1.plesk.test' }).where(eq(nodes.id, cloud.id))
  })

  test('of a fork places it on the node of its source', async () => {
    await db
      .update(webs)
      .set({ repository: 'web134-bestehend.test' })
      .where(eq(webs.id, await insertWeb()))
    const options = await all.fetch('/api/deployment/options?source=web134-bestehend.test')
    expect(await options.json()).toEqual({
      trial_day: { template: 'schnuppertag-kickstarter', customer: 'AGENTUR' },
      node: 'n1',
    })
    const response = await request('newWeb', {
      ...newWeb,
      sourceRepo: 'web134-bestehend.test',
      bnName: 'bn66',
      futureDomain: 'gabel.test',
    })
    const [row] = await db
      .select()
      .from(deployments)
      .where(eq(deployments.id, getDeploymentId(response)))
    expect(row).toMatchObject({ repository: 'web134-gabel.test', node_id: cloud.id })
  })

  test('of a fork places it on the node of the newest kick dump if two webs have the repository', async () => {
    const [second] = await db
      .insert(nodes)
      .values({ name: 'n8', plesk_fqdn: 'n8.plesk.test', cloud_enabled: true })
      .returning()
    for (const [node, ended_at] of [
      [cloud.id, '2026-11-02T10:00:00Z'],
      [second?.id ?? 0, '2026-11-03T10:00:00Z'],
      [cloud.id, '2026-11-01T10:00:00Z'],
    ] as const) {
      const web_id = await insertWeb(node)
      await db.update(webs).set({ repository: 'web134-zweimal.test' }).where(eq(webs.id, web_id))
      const times = { created_at: at, updated_at: at, ended_at: new Date(ended_at) }
      const kick = { kind: 'exportDatabaseKick', state: 'succeeded', fqdn: 'zweimal.test', web_id, ...times }
      await db.insert(deployments).values({ ...kick, node_id: node })
    }
    const options = await all.json<{ node: string }>('/api/deployment/options?source=web134-zweimal.test')
    expect(options.node).toBe('n8')
  })
})
