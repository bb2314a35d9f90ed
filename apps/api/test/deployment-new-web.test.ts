import { deployments, repositories, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { errorOf, idIn, newWeb, openDeployments } from './deployments.ts'
import { repository, storeRepositories } from './repositories.ts'

const database = await testDatabase()
const { db } = database
const { cloud, all, ask, makeWeb } = await openDeployments(database)
await makeWeb()

describe('a request for a new web', () => {
  test('answers 502 until the repositories are known', async () => {
    const answer = await ask('newWeb', newWeb)
    expect(answer.status).toBe(502)
    expect(await errorOf(answer)).toContain('Bitbucket')
  })

  test('accepts one of 20 identical ones at once', async () => {
    await storeRepositories(
      db,
      'web134-kickstarter-base',
      'web134-bestehend.test',
      'schnuppertag-kickstarter',
    )
    await db.insert(repositories).values([repository('intranet', 'INT')])
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('newWeb', newWeb)))
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(19)
    const rows = await db.select().from(deployments).where(eq(deployments.kind, 'newWeb'))
    expect(rows).toMatchObject([{ repository: 'web134-alpenhof.test', fqdn: 'alpenhof.test', web_id: null }])
  })

  const wrong: [string, Partial<typeof newWeb>, keyof typeof newWeb][] = [
    ['a TP number without digits', { bnName: 'bn' }, 'bnName'],
    ['a TP number with a shell in it', { bnName: 'bn1;rm -rf' }, 'bnName'],
    ['a TP number with a newline', { bnName: 'bn1\nx' }, 'bnName'],
    ['a domain with www', { futureDomain: 'www.neu.test' }, 'futureDomain'],
    ['a domain that is none', { futureDomain: '$(id)' }, 'futureDomain'],
    ['a domain that climbs', { futureDomain: '../../etc' }, 'futureDomain'],
    ['a domain that starts with -', { futureDomain: '-rf.test' }, 'futureDomain'],
    ['a domain whose repository exists', { futureDomain: 'bestehend.test' }, 'futureDomain'],
    ['a domain whose web exists', { futureDomain: 'web1.test' }, 'futureDomain'],
    ['a customer in lower case', { customer: 'alpen' }, 'customer'],
    ['a customer with 5 digits', { customer: '12345' }, 'customer'],
    ['an unknown source', { sourceRepo: 'web134-nirgends' }, 'sourceRepo'],
    ['a source that is not forkable', { sourceRepo: 'intranet' }, 'sourceRepo'],
    ['the template without a trial-day name', { sourceRepo: 'schnuppertag-kickstarter' }, 'sourceRepo'],
    ['a source that climbs', { sourceRepo: '../intranet' }, 'sourceRepo'],
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
  test.each(wrong)('rejects %s', async (_, change, field) => {
    const before = await db.$count(deployments)
    const answer = await ask('newWeb', { ...newWeb, futureDomain: 'ganzneu.test', ...change })
    expect(answer.status).toBe(422)
    const { errors } = (await answer.json()) as { errors: Record<string, string[]> }
    expect(Object.keys(errors)).toContain(field)
    expect(await db.$count(deployments)).toBe(before)
  })

  test('accepts one per domain, whatever it is forked from', async () => {
    await db
      .insert(repositories)
      .values([repository('web124-kickstarter-base'), repository('web134-alt.test')])
    await db
      .update(repositories)
      .set({ fork_policy: 'no_forks' })
      .where(eq(repositories.name, 'web134-alt.test'))
    const asked = { ...newWeb, bnName: 'bn55', futureDomain: 'einmalig.test' }
    expect((await ask('newWeb', asked)).status).toBe(204)
    const again = await ask('newWeb', { ...asked, sourceRepo: 'web124-kickstarter-base' })
    expect(again.status).toBe(409)
    expect(await errorOf(again)).toBe('A request for this domain is under way.')
    expect(await errorOf(await ask('newWeb', asked))).toBe('A request for this repository is under way.')
    const locked = await ask('newWeb', { ...asked, sourceRepo: 'web134-alt.test', futureDomain: 'x.test' })
    expect(locked.status).toBe(422)
  })

  test('requires a name that Bitbucket accepts and an unused system user', async () => {
    for (const futureDomain of ['café.test', `${'a'.repeat(60)}.test`]) {
      expect((await ask('newWeb', { ...newWeb, futureDomain })).status, futureDomain).toBe(422)
    }
    await db
      .update(webs)
      .set({ sysuser: 'bn77' })
      .where(eq(webs.id, await makeWeb()))
    const answer = await ask('newWeb', { ...newWeb, bnName: 'bn77', futureDomain: 'zweiter.test' })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ errors: { bnName: [expect.stringContaining('bn77-2')] } })
  })

  test('accepts one of several at once with the same system user', async () => {
    const asked = { ...newWeb, bnName: 'bn88a' }
    const domains = Array.from({ length: 8 }, (_, index) => `zugleich${index}.test`)
    const answers = await Promise.all(
      domains.map((futureDomain) => ask('newWeb', { ...asked, futureDomain })),
    )
    const accepted = answers.filter(({ status }) => status === 204)
    expect([accepted.length, ...new Set(answers.map(({ status }) => status))].sort()).toEqual([1, 204, 422])
    const refused = answers.find(({ status }) => status === 422)
    expect(await refused?.json()).toMatchObject({
      errors: {
        bnName: [
          expect.stringMatching(/^zugleich\d\.test will get the system user bn88a on n1: .* bn88a-2$/),
        ],
      },
    })
    // Written otherwise it is the same system user.
    const alike = await ask('newWeb', { ...asked, bnName: 'bn88A', futureDomain: 'zugleich-auch.test' })
    expect(alike.status).toBe(422)

    const [first] = accepted
    if (!first) throw new Error('None was accepted')
    expect((await all.send('POST', `/api/deployments/${idIn(first)}/cancel`)).status).toBe(204)
    expect((await ask('newWeb', { ...asked, futureDomain: 'danach.test' })).status).toBe(204)
    const retried = await all.send('POST', `/api/deployments/${idIn(first)}/retry`)
    expect(retried.status).toBe(409)
    expect(await errorOf(retried)).toMatch(/^danach\.test will get the system user bn88a on n1/)
  })

  test('assigns a trial-day web to the operator and names it below the node', async () => {
    const trial = {
      sourceRepo: 'schnuppertag-kickstarter',
      bnName: 'schnuppertag-müsli',
      futureDomain: 'schnuppertag-müsli',
      customer: 'AGENTUR',
    }
    expect((await ask('newWeb', { ...trial, customer: 'ALPEN' })).status).toBe(422)
    const answer = await ask('newWeb', trial)
    expect(answer.status).toBe(204)
    const [row] = await db
      .select()
      .from(deployments)
      .where(eq(deployments.id, idIn(answer)))
    expect(row).toMatchObject({
      repository: 'schnuppertag-muesli',
      fqdn: 'schnuppertag-muesli.n1.plesk.test',
    })
  })

  test('places a fork on the node of its source', async () => {
    await db
      .update(webs)
      .set({ repository: 'web134-bestehend.test' })
      .where(eq(webs.id, await makeWeb()))
    const options = await all.fetch('/api/deployment/options?source=web134-bestehend.test')
    expect(await options.json()).toEqual({
      trial_day: { template: 'schnuppertag-kickstarter', customer: 'AGENTUR' },
      node: 'n1',
    })
    const answer = await ask('newWeb', {
      ...newWeb,
      sourceRepo: 'web134-bestehend.test',
      bnName: 'bn66',
      futureDomain: 'gabel.test',
    })
    const [row] = await db
      .select()
      .from(deployments)
      .where(eq(deployments.id, idIn(answer)))
    expect(row).toMatchObject({ repository: 'web134-gabel.test', node_id: cloud.id })
  })
})
