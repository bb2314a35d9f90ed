import { customers, incidents, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { alertedWebColumns } from '../src/monitoring/alerts/event.ts'

const { db } = await testDatabase()
const at = new Date('2026-11-20T12:00:00Z')

test('alerts go to the channels of the customer if the web names none', async () => {
  const web = { customer: 'A', configured_ip: '192.0.2.1' }
  await db.insert(webs).values([
    { ...web, fqdn: 'none.test', fqdn_ascii: 'none.test' },
    { ...web, fqdn: 'own.test', fqdn_ascii: 'own.test', monitoring_web_reporting_channel: 'mail' },
    { ...web, fqdn: 'other.test', fqdn_ascii: 'other.test', customer: 'B' },
    { ...web, fqdn: 'without.test', fqdn_ascii: 'without.test', customer: '' },
  ])
  await db
    .update(customers)
    .set({ alert_channels: ['telegram', 'slack'] })
    .where(eq(customers.code, 'A'))
  for (const { id } of await db.select({ id: webs.id }).from(webs))
    await db
      .insert(incidents)
      .values({ web_id: id, started_at: at, last_failed_at: at, watched_until: at, reason: 'Timeout' })
  // As notifications read them, together with their incidents.
  const rows = await db
    .select({ web: alertedWebColumns })
    .from(incidents)
    .innerJoin(webs, eq(webs.id, incidents.web_id))
    .orderBy(webs.id)
  expect(rows.map(({ web: { fqdn, channels } }) => [fqdn, channels])).toEqual([
    ['none.test', ['slack', 'telegram']],
    ['own.test', ['mail']],
    ['other.test', []],
    ['without.test', []],
  ])
})
