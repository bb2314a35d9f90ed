import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { migrate } from '../src/migrations.ts'
import { users } from '../src/tables/index.ts'
import { testDatabase } from '../testing/index.ts'

const migrated = await testDatabase()
const empty = await testDatabase({ empty: true })

const tableCount = sql<{ count: number }>`
  select count(*)::int as count from information_schema.tables where table_schema = 'public'`

test('creates a migrated database without users', async () => {
  expect(await migrated.db.select().from(users)).toEqual([])
})

test('isolates two test databases', async () => {
  const { rows } = await empty.db.execute(tableCount)
  expect(rows).toEqual([{ count: 0 }])
})

test('migrates once when six processes start together, and has no effect afterwards', async () => {
  await Promise.all(Array.from({ length: 6 }, () => migrate(empty.url)))
  await migrate(empty.url)
  const tables = await empty.db.execute(tableCount)
  const template = await migrated.db.execute(tableCount)
  expect(tables.rows).toEqual(template.rows)
})
