import { logEntries, roles, userRoles, users } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq, gt } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { createDenialLog } from '../src/logs/index.ts'
import { createContext } from '../src/platform/context.ts'
import { findUserWithPermissions } from '../src/users/index.ts'

const database = await testDatabase()
const { db } = database
const [user] = await db
  .insert(users)
  .values({ email: 'anna@kustos.test', name: 'Anna', password_hash: 'none' })
  .returning()
const [role] = await db.select().from(roles).where(eq(roles.name, 'admin'))
if (!user || !role) throw new Error('The user or the role is missing')
await db.insert(userRoles).values({ user_id: user.id, role_id: role.id })
const actor = await findUserWithPermissions(db, user.id)

let clock = Date.parse('2026-11-21T12:00:00Z')
const now = () => new Date(clock)
const anna = createContext(database, actor, now)
const kustos = createContext(database, null, now)

let before = 0
beforeEach(async () => {
  clock += 3_600_000
  before = await db.$count(logEntries)
})
const entries = () => db.select().from(logEntries).where(gt(logEntries.id, before)).orderBy(logEntries.id)
const readAttributes = async () => (await entries()).map(({ properties }) => properties.attributes)

const denial = (id: number) => ({ method: 'PUT', route: '/api/users/:id', id })

describe('denied calls', () => {
  test('of one user add twenty entries a minute and one that counts the rest', async () => {
    const denials = createDenialLog()
    for (let id = 1; id <= 50; id++) await denials.record(anna, denial(id))
    expect(await readAttributes()).toEqual(Array.from({ length: 20 }, (_, n) => denial(n + 1)))
    clock += 60_000
    await denials.flushCounts(kustos)
    await denials.flushCounts(kustos)
    expect((await entries()).slice(20)).toMatchObject([
      {
        log_name: 'auth',
        description: 'further calls denied',
        causer_id: user.id,
        properties: { attributes: { times: 30 } },
      },
    ])
  })

  test('over many minutes add no more per minute', async () => {
    const denials = createDenialLog()
    for (let minute = 0; minute < 3; minute++) {
      for (let id = 1; id <= 30 + minute; id++)
        for (let time = 0; time < 2; time++) await denials.record(anna, denial(1000 * minute + id))
      clock += 60_000
      await denials.flushCounts(kustos)
    }
    await denials.flushCounts(kustos, true)
    const counted = (await readAttributes()).map((attributes) => Number(attributes?.times ?? 1))
    expect(counted.length).toBeLessThanOrEqual(4 * 21)
    expect(counted.reduce((sum, times) => sum + times, 0)).toBe(2 * (30 + 31 + 32))
  })

  test('that were counted are reported at shutdown', async () => {
    const denials = createDenialLog()
    for (let time = 0; time < 3; time++) await denials.record(anna, denial(1))
    await denials.flushCounts(kustos)
    expect(await readAttributes()).toEqual([denial(1)])
    await denials.flushCounts(kustos, true)
    expect(await readAttributes()).toEqual([denial(1), { ...denial(1), times: 2 }])
    expect((await entries()).map(({ causer_id }) => causer_id)).toEqual([user.id, user.id])
  })

  test('that were counted are reported at shutdown, also if their user has reached the limit since', async () => {
    const denials = createDenialLog()
    for (let time = 0; time < 3; time++) await denials.record(anna, denial(1))
    clock += 60_000
    for (let id = 2; id <= 21; id++) await denials.record(anna, denial(id))
    await denials.flushCounts(kustos, true)
    const counted = (await readAttributes()).map((attributes) => Number(attributes?.times ?? 1))
    expect(counted.reduce((sum, times) => sum + times, 0)).toBe(23)
  })

  test('are not lost when they cannot be written', async () => {
    const denials = createDenialLog()
    const offline = {
      ...anna,
      db: Object.assign(Object.create(db), { transaction: () => Promise.reject(new Error('offline')) }),
    }
    await expect(denials.record(offline, denial(1))).rejects.toThrow('offline')
    await denials.record(anna, denial(1))
    expect(await readAttributes()).toEqual([{ ...denial(1), times: 2 }])
  })
})
