import { type ThirdPartyList, thirdPartiesRoutes } from '@kustos/contract/third-parties'
import { domainStatus, nothingFound, webStatus } from '@kustos/contract/webs'
import { webs, webThirdParties } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createUser, listen, signIn } from './api-client.ts'
import { only } from './logged-fixtures.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)

async function clientOf(name: string, permissions: Parameters<typeof createUser>[2]) {
  await createUser(database, `${name}@kustos.test`, permissions)
  return signIn(origin, `${name}@kustos.test`)
}
const reader = await clientOf('reader', ['view webs'])
const officer = await clientOf('officer', ['view webs', 'edit tracking policy'])

const { path } = thirdPartiesRoutes.listThirdParties
const fqdn = 'hotel.test'
const { id } = only(
  await db
    .insert(webs)
    .values({
      fqdn,
      fqdn_ascii: fqdn,
      customer: 'ALPEN',
      configured_ip: '192.0.2.1',
      status: webStatus.active,
      domain_status: domainStatus.online,
      tracking_data: { ...nothingFound, third_parties: ['cdn.widget.example'] },
    })
    .returning(),
)
const at = new Date('2026-11-20T10:00:00Z')
await db.insert(webThirdParties).values({
  web_id: id,
  phase: 'before',
  host: 'cdn.widget.example',
  entity: '',
  category: 'unknown',
  is_denied: false,
  first_seen: at,
  last_seen: at,
})
const list = () => reader.json<ThirdPartyList>(path)

it('classifies a host for all webs, with who decided it and why', async () => {
  expect((await list()).data).toMatchObject([
    { host: 'cdn.widget.example', decision: 'review', entity: null },
  ])
  const body = { host: 'CDN.Widget.example', category: 'advertising', reason: 'It shows offers of others' }
  expect((await reader.send('PUT', path, body)).status).toBe(403)
  expect((await officer.send('PUT', path, body)).status).toBe(204)
  expect((await list()).data).toMatchObject([
    {
      category: 'advertising',
      decision: 'consent',
      webs_violating: 1,
      classification: { host: 'cdn.widget.example', by: 'officer@kustos.test', reason: body.reason },
    },
  ])
  expect((await officer.send('PUT', path, { ...body, reason: ' ' })).status).toBe(422)
  expect((await officer.send('PUT', path, { ...body, host: 'github.io' })).status).toBe(422)
  const listAttention = async () =>
    (await reader.json<{ data: { kind: string; services: string[] }[] }>('/api/attention')).data
  expect(await listAttention()).toMatchObject([
    { kind: 'tracking_without_consent', services: ['cdn.widget.example'] },
  ])
  // Then the web is not in the tracking list.
  await db.update(webs).set({ domain_status: domainStatus.offline }).where(eq(webs.id, id))
  expect([await listAttention(), (await list()).data]).toEqual([[], []])
})

it('changes the policy', async () => {
  const change = { decisions: { advertising: 'review' } }
  const { path: policyPath } = thirdPartiesRoutes.editTrackingPolicy
  expect((await reader.send('PUT', policyPath, change)).status).toBe(403)
  expect((await officer.send('PUT', policyPath, change)).status).toBe(204)
  expect((await list()).policy).toMatchObject({ advertising: 'review', analytics: 'consent' })
  expect((await officer.send('PUT', policyPath, { decisions: { nothing: 'none' } })).status).toBe(422)
})
