import { commandLine } from '@kustos/contract/log-words'
import { logEntries } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { expect, it } from 'vitest'
import { change, changedMeanwhile } from '../src/audit.ts'
import { contextOf } from '../src/context.ts'

const database = await testDatabase()
const context = contextOf(database)

it.each([
  { attributes: { password: 'x' } },
  { old: { passwordHash: 'x' } },
  { attributes: { remember_token: null } },
  { attributes: { settings: { API_KEY: 'x' } } },
  { attributes: { headers: [{ Cookie: 'x' }] } },
  { old: { client_secret: 'x' } },
])('%o never reaches the log, and its change not the database', async (properties) => {
  const refused = change(context, (inside) =>
    inside.record({ log: 'users', description: 'updated', ...properties }),
  )
  await expect(refused).rejects.toThrow(/The log takes no secrets: a property is named \w+/)
  expect(await database.db.$count(logEntries)).toBe(0)
})

it('a change that records nothing, and does not say that there was nothing to change, fails', async () => {
  await expect(change(context, async () => undefined)).rejects.toThrow('A change has to record a log entry')
  await change(context, async (inside) => inside.unchanged())
  expect(await database.db.$count(logEntries)).toBe(0)
})

it('one entry stands for each that is recorded, with the time of the change', async () => {
  const now = new Date('2026-11-21T12:00:00.123Z')
  await change({ ...context, now: () => now }, async (inside) => {
    await inside.record({
      log: 'webs',
      description: 'updated',
      old: { customer: 'A' },
      attributes: { customer: 'B' },
    })
    await inside.record({ log: 'imports', description: 'webs imported' })
  })
  expect(await database.db.select().from(logEntries).orderBy(logEntries.id)).toMatchObject([
    {
      created_at: now,
      causer_id: null,
      properties: { old: { customer: 'A' }, attributes: { customer: 'B' } },
    },
    { created_at: now, log_name: 'imports', properties: {} },
  ])
})

const origin = { by: commandLine, system_user: 'operator' } as const

it.each([
  ['An import from the former system', { log: 'imports', description: 'imported again' }],
  ['Somebody at the command line', { log: 'webs', description: 'updated' }],
] as const)('%s is named to whoever saves over its change', async (who, entry) => {
  const subject = { type: 'web', id: 1 }
  const at = new Date('2026-11-21T12:00:00Z')
  const refusal = await change({ ...context, origin }, async (inside) => {
    await inside.record({ ...entry, subject, attributes: { customer: 'B' } })
    return changedMeanwhile(inside, subject, 'web', at)
  })
  expect(refusal.message).toMatch(new RegExp(`^${who} has changed this web at .*Nothing was saved\\.$`))
  const entries = await database.db.select().from(logEntries).orderBy(logEntries.id)
  expect(entries.at(-1)?.properties).toEqual({ attributes: { customer: 'B', ...origin } })
})
