import { failedSignIns, logEntries } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { gt } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { recordFailedSignIn, summariseFailedSignIns } from '../src/logs/index.ts'
import { withAudit } from '../src/platform/audit.ts'
import { createContext } from '../src/platform/context.ts'
import { networkOf } from '../src/platform/network.ts'

const database = await testDatabase()
const { db } = database
const hour = 3_600_000
let clock = Date.parse('2026-11-23T12:00:00Z')
const kustos = createContext(database, null, () => new Date(clock))

let before = 0
beforeEach(async () => {
  clock += 24 * hour
  before = await db.$count(logEntries)
})
const entries = () => db.select().from(logEntries).where(gt(logEntries.id, before)).orderBy(logEntries.id)

const fail = (email: string, address: string) =>
  withAudit(kustos, (tx) =>
    recordFailedSignIn(tx, {
      email,
      network: networkOf(address),
      address,
      isThrottled: false,
      description: 'sign-in refused',
    }),
  )

test('simultaneous failures add at most twenty entries and one summary an hour, which counts the others', async () => {
  await Promise.all(Array.from({ length: 100 }, (_, n) => fail(`n${n % 50}@kustos.test`, '198.51.100.7')))
  await fail('n1@kustos.test', '198.51.100.8')
  clock += hour
  // Several workers at once count nothing twice.
  await Promise.all(Array.from({ length: 3 }, () => summariseFailedSignIns(kustos)))
  const all = await entries()
  expect(all.map(({ description }) => description)).toEqual([
    ...Array(20).fill('sign-in refused'),
    'further sign-ins refused',
  ])
  expect(all[20]?.properties.attributes).toMatchObject({
    hour: new Date(clock - hour).toISOString(),
    times: 81,
    tried_emails: 50,
    networks: 2,
    most_failures: expect.objectContaining({ length: 10 }),
  })
})

test('counts failures from one IPv6 network as one address', async () => {
  for (let n = 1; n <= 3; n++) await fail('anna@kustos.test', `2001:db8:0:7::${n}`)
  expect(await entries()).toMatchObject([{ properties: { attributes: { address: '2001:db8:0:7::1' } } }])
  clock += hour
  await summariseFailedSignIns(kustos)
  expect((await entries())[1]?.properties.attributes).toMatchObject({
    times: 2,
    most_failures: ['anna@kustos.test 2001:db8:0:7::/64: 2'],
  })
})

test('changing e-mails and addresses that a limit refuses are counted in one row', async () => {
  const { length } = await db.select().from(failedSignIns)
  const refuse = (email: string, network: string, address: string) =>
    withAudit(kustos, (tx) =>
      recordFailedSignIn(tx, { email, network, address, isThrottled: true, description: 'sign-in refused' }),
    )
  for (let n = 0; n < 3; n++) {
    await refuse('', '198.51.100.7', '198.51.100.7')
    await refuse('anna@kustos.test', '', `203.0.113.${n}`)
  }
  expect(await db.select().from(failedSignIns)).toHaveLength(length + 2)
  clock += hour
  await summariseFailedSignIns(kustos)
  expect((await entries())[2]?.properties.attributes).toMatchObject({
    times: 4,
    most_failures: ['198.51.100.7: 2', 'anna@kustos.test: 2'],
  })
})

test('removes the counts after ninety days', async () => {
  await fail('anna@kustos.test', '198.51.100.7')
  clock += 90 * 24 * hour
  await summariseFailedSignIns(kustos)
  const { length } = await db.select().from(failedSignIns)
  clock += hour
  expect(await summariseFailedSignIns(kustos)).toMatchObject({ removed: length })
  expect(await db.$count(failedSignIns)).toBe(0)
})
