import { logEntries } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { expect, test } from 'vitest'
import { exportLogs } from '../src/logs/index.ts'
import { createContext } from '../src/platform/context.ts'

const database = await testDatabase()

test('an export of today that ends after midnight has all entries of the day when it began', async () => {
  let now = new Date('2026-11-20T22:59:00Z')
  const context = createContext(database, null, () => now)
  const entries = Array.from({ length: 2_500 }, (_, index) => ({
    created_at: new Date(now.getTime() - 60_000 + index),
    log_name: 'webs',
    description: 'updated',
    properties: {},
  }))
  await database.db.insert(logEntries).values(entries)
  const lines: string[] = []
  for await (const page of await exportLogs(context, { within: 'today', log: 'webs' })) {
    lines.push(...page.split('\r\n').filter((line) => line !== ''))
    // Midnight in Rome has passed.
    now = new Date('2026-11-20T23:00:01Z')
  }
  expect(lines).toHaveLength(1 + entries.length)
})
