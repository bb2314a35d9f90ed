import { logEntries } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { describe, expect, test } from 'vitest'
import { listEmails, listOwnDomains, syncRegistrar } from '../src/limitis/index.ts'
import { collectChangedLists } from './collect-notifications.ts'
import { domain, startTestRegistrar } from './test-registrar.ts'

const database = await testDatabase()
const { db } = database
const { state, registrar, context, now, advanceMinutes, sync, domains, addresses, readLastSync } =
  await startTestRegistrar(database)

describe('a large loss', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => domain(`kunde-${i}.test`))

  test('is refused until an operator confirms it, which is logged', async () => {
    Object.assign(state, { domains: many(12), total: null })
    await sync()
    advanceMinutes(60)
    state.domains = many(5)
    await expect(sync()).rejects.toThrow(
      /does not show 7 of our 12 domains any more\..*"pnpm kustos sync registrar --confirm-removals" removes them/,
    )
    expect(await domains()).toHaveLength(12)
    expect(await readLastSync()).toMatchObject({ error: expect.stringMatching(/7 of our 12/) })
    const logged = await db.$count(logEntries)
    expect(await syncRegistrar(context, registrar, { isRemovalConfirmed: true })).toMatchObject({
      domains: { removed: 7 },
    })
    expect(await domains()).toHaveLength(5)
    expect((await listOwnDomains(context)).staleSeconds).toBeNull()
    expect(await db.select().from(logEntries).offset(logged)).toMatchObject([
      {
        log_name: 'limitis',
        description: 'removals confirmed',
        properties: {
          attributes: {
            domains: { removed: 7 },
            domains_removed: expect.arrayContaining(['kunde-5.test', 'kunde-11.test']),
          },
        },
      },
    ])
  })

  test('does not include losing half of the rows', async () => {
    Object.assign(state, { domains: many(12), total: null })
    await sync()
    state.domains = many(6)
    expect(await sync()).toMatchObject({ domains: { removed: 6 } })
  })

  test('may be all mailboxes after confirmation', async () => {
    await sync()
    state.mailboxes = []
    await expect(sync()).rejects.toThrow(/no emails at all any more\..*--confirm-removals/)
    await syncRegistrar(context, registrar, { isRemovalConfirmed: true })
    expect(await addresses()).toEqual([])
    advanceMinutes(60)
    expect(await sync()).toMatchObject({ emails: { entries: 0 } })
  })
})

describe('a failed sync', () => {
  test.each([
    [
      'disconnects while it lists its domains',
      { failure: { list: 'domains', page: 1, dies: true } },
      /connection was lost/,
    ],
    [
      'disconnects while it lists its mailboxes',
      { failure: { list: 'mailboxes', page: 1, dies: true } },
      /connection was lost/,
    ],
    ['reports a server error', { failure: { list: 'mailboxes', page: 0, status: 503 } }, /server error/],
    ['rejects the token', { failure: { list: 'domains', page: 0, status: 401 } }, /LIMITIS_API_TOKEN/],
    ['returns something else', { failure: { list: 'domains', page: 0, body: '[]' } }, /unexpected response/],
    ['lists half of its domains', { total: 9 }, /not whole/],
    ['lists no domain', { domains: [] }, /no domains at all/],
    ['lists no mailbox', { mailboxes: [] }, /no emails at all/],
    [
      'lists only domains without a readable name',
      { domains: [{ name: 'neu.test' }] },
      /domains that Kustos cannot read/,
    ],
  ])('keeps the lists if the registrar %s', async (_, change, error) => {
    await sync()
    const before = [await domains(), await addresses()]
    advanceMinutes(90)
    // Everything it lists would be new.
    Object.assign(
      state,
      { domains: [domain('neu.test'), domain('neu-2.test'), domain('neu-3.test')] },
      change,
    )
    const changedLists = await collectChangedLists(database, () =>
      expect(sync()).rejects.toMatchObject({ kind: 'upstream', message: expect.stringMatching(error) }),
    )
    expect([await domains(), await addresses()]).toEqual(before)
    expect(await readLastSync()).toMatchObject({ failed_at: now(), error: expect.stringMatching(error) })
    // Screens are notified that their lists are stale.
    expect(changedLists).toEqual(['attention', 'own_domains', 'emails'])
    advanceMinutes(1)
    expect((await listOwnDomains(context)).staleSeconds).toBe(91 * 60)
    expect((await listEmails(context)).staleSeconds).toBe(91 * 60)
  })

  test('refreshes the lists with the next good response', async () => {
    await sync()
    state.failure = { list: 'domains', page: 0, status: 500 }
    await expect(sync()).rejects.toThrow()
    state.failure = null
    advanceMinutes(5)
    expect(await collectChangedLists(database, sync)).toEqual(['attention', 'own_domains', 'emails'])
    expect((await listOwnDomains(context)).staleSeconds).toBeNull()
  })
})

test('does not treat a registrar that was always empty as a loss', async () => {
  Object.assign(state, { domains: [], mailboxes: [] })
  expect(await sync()).toMatchObject({ domains: { entries: 0 }, emails: { entries: 0 } })
})
