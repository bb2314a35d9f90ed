import { can, type Permission, permissions } from '@kustos/contract/permissions'
import { type EvaluatedList, evaluatedLists, listsWithViews } from '@kustos/contract/views'
import { nothingFound } from '@kustos/contract/webs'
import {
  customers,
  emails,
  externalDomains,
  nodes,
  ownDomains,
  repositories,
  users,
  webThirdParties,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { seedRoles } from './seed-roles.ts'
import { viewSubscriptionTests } from './view-subscriptions.ts'

const database = await testDatabase()
const { db } = database
const tests = await viewSubscriptionTests(database)

const holders: Readonly<Record<string, readonly Permission[] | 'admin'>> = {
  ...Object.fromEntries(permissions.map((permission) => [permission, [permission]])),
  ...seedRoles,
}
const followers = new Map<string, Awaited<ReturnType<typeof tests.staff>>>()
const statuses = new Map<string, number>()

/** One row more in each list. @returns its name in each of them */
async function insertRows(): Promise<Readonly<Record<EvaluatedList, string>>> {
  const host = 'new.tracker.test'
  const tracking_data = { ...nothingFound, third_parties: [host] }
  const { id, fqdn } = await tests.insertWeb({ customer: 'NEW', tracking_data })
  await db.insert(webThirdParties).values({
    web_id: id,
    phase: 'before',
    host,
    entity: 'Tracker',
    category: 'analytics',
    is_denied: false,
    first_seen: new Date(),
    last_seen: new Date(),
  })
  const domain = { customer: 'NEW', fqdn: 'new.test', fqdn_ascii: 'new.test' }
  await db.insert(customers).values({ code: 'NEW' }).onConflictDoNothing()
  await db.insert(nodes).values({ name: 'n7', plesk_fqdn: 'n7.plesk.test' })
  await db.insert(repositories).values({
    name: 'new-repository',
    project_name: 'New',
    project_key: 'NEW',
    description: '',
    html_url: 'https://bitbucket.test/new',
    clone_url: 'ssh://bitbucket.test/new',
    created_on: new Date(),
    updated_on: new Date(),
  })
  await db.insert(externalDomains).values({ ...domain, domainprovider: 'Other' })
  await db.insert(ownDomains).values({ ...domain, fqdn: 'own.test', fqdn_ascii: 'own.test' })
  await db.insert(emails).values({ customer: 'NEW', address: 'new@new.test', type: 'mailbox' })
  await db.insert(users).values({ email: 'new@kustos.test', name: 'New', password_hash: '' })
  return {
    webs: fqdn,
    tracking: fqdn,
    'third-parties': host,
    monitoring: fqdn,
    customers: 'NEW',
    nodes: 'n7',
    bitbucket: 'new-repository',
    'all-domains': 'new.test',
    'external-domains': 'new.test',
    'own-domains': 'own.test',
    emails: 'new@new.test',
    users: 'new@kustos.test',
  }
}
let inserted: Readonly<Record<EvaluatedList, string>>

beforeAll(async () => {
  const admin = await tests.staff('owner', 'admin')
  const views = await Promise.all(
    evaluatedLists.map((list) =>
      tests.createView(admin.client, { list, name: list, query: '', audience: 'everyone' }),
    ),
  )
  for (const [holder, granted] of Object.entries(holders)) {
    const follower = await tests.staff(`only-${holder.replaceAll(' ', '-')}`, granted)
    followers.set(holder, follower)
    for (const view of views) {
      const { status } = await tests.follow(follower.client, view, 'immediate')
      statuses.set(`${holder} ${view.list}`, status)
    }
  }
  await tests.evaluate()
  inserted = await insertRows()
  await tests.evaluate()
}, 120_000)

describe.each(Object.entries(holders))('%s', (holder, granted) => {
  const mayOpen = (list: EvaluatedList) =>
    granted === 'admin' || can({ roles: [], permissions: granted }, listsWithViews[list].access)

  it('can follow the lists that they may open, and is notified of these only', async () => {
    const follower = followers.get(holder)
    if (!follower) throw new Error(`${holder} does not exist`)
    for (const list of evaluatedLists)
      expect([list, statuses.get(`${holder} ${list}`)]).toEqual([list, mayOpen(list) ? 204 : 404])
    const opened = evaluatedLists.filter(mayOpen)
    const told = opened.length === 0 ? [] : await tests.notices(follower.client)
    expect(told.map(({ subject }) => subject).toSorted()).toEqual(opened.toSorted())
    for (const { subject, view } of told) {
      const ownOnly = subject === 'all-domains' && !mayOpen('external-domains')
      expect(view?.names).toContain(ownOnly ? 'own.test' : inserted[subject as EvaluatedList])
      // Own and external domains, as far as the user may see each.
      const both = subject === 'all-domains' && mayOpen('external-domains') && mayOpen('own-domains')
      expect([subject, view?.entered]).toEqual([subject, both ? 2 : 1])
    }
    expect(await tests.mailsTo(follower.email)).toHaveLength(opened.length)
  })
})
