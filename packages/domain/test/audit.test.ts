import { commandLine } from '@kustos/contract/log-words'
import { logEntries } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { expect, it } from 'vitest'
import { rejectStaleWrite, withAudit } from '../src/platform/audit.ts'
import { createContext } from '../src/platform/context.ts'

const database = await testDatabase()
const context = createContext(database)

it.each([
  { attributes: { password: 'x' } },
  { old: { passwordHash: 'x' } },
  { attributes: { remember_token: null } },
  { attributes: { settings: { API_KEY: 'x' } } },
  { attributes: { headers: [{ Cookie: 'x' }] } },
  { old: { client_secret: 'x' } },
])('rolls back a change that would log %o', async (properties) => {
  const change = withAudit(context, (tx) =>
    tx.record({ log: 'users', description: 'updated', ...properties }),
  )
  await expect(change).rejects.toThrow(/Log entries can't contain secrets: a property is named \w+/)
  expect(await database.db.$count(logEntries)).toBe(0)
})

it('rejects a change that records nothing without calling skipAudit', async () => {
  await expect(withAudit(context, async () => undefined)).rejects.toThrow(
    'A change has to record a log entry',
  )
  await withAudit(context, async (tx) => tx.skipAudit())
  expect(await database.db.$count(logEntries)).toBe(0)
})

it('writes one entry for each record, with the time of the change', async () => {
  const now = new Date('2026-11-21T12:00:00.123Z')
  await withAudit({ ...context, now: () => now }, async (tx) => {
    await tx.record({
      log: 'webs',
      description: 'updated',
      old: { customer: 'A' },
      attributes: { customer: 'B' },
    })
    await tx.record({ log: 'imports', description: 'webs imported' })
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
  ['Someone on the command line', { log: 'webs', description: 'updated' }],
] as const)('names %s in the rejection of a stale write', async (who, entry) => {
  const subject = { type: 'web', id: 1 }
  const at = new Date('2026-11-21T12:00:00Z')
  await withAudit({ ...context, origin }, (tx) =>
    tx.record({ ...entry, subject, attributes: { customer: 'B' } }),
  )
  await expect(
    context.db.transaction((db) =>
      rejectStaleWrite({ ...context, db }, subject, 'web', at, '2026-11-21T11:00:00Z'),
    ),
  ).rejects.toThrow(new RegExp(`^${who} changed this web at .*Nothing was saved\\.$`))
  const entries = await database.db.select().from(logEntries).orderBy(logEntries.id)
  expect(entries.at(-1)?.properties).toEqual({ attributes: { customer: 'B', ...origin } })
})
