import { openDatabase } from '@kustos/database/client'
import { testDatabase } from '@kustos/database/testing'
import { checkConnections, readConnections } from '@kustos/domain/platform/connections'
import { expect, onTestFinished, test } from 'vitest'

const database = await testDatabase()

async function warningsWith(others: number): Promise<unknown[]> {
  const warnings: unknown[] = []
  await checkConnections(database, { warn: (facts: unknown) => void warnings.push(facts) }, others)
  return warnings
}

test('warns of connections that Postgres would refuse', async () => {
  expect(await warningsWith(1)).toEqual([])
  const { rows } = await database.pool.query<{ max: number }>(
    "select current_setting('max_connections')::int as max",
  )
  const max = rows[0]?.max ?? 0
  expect(await warningsWith(max)).toMatchObject([
    { needed: database.pool.options.max + max, allowed: expect.any(Number), open: expect.any(Number) },
  ])
})

test('counts the connections of others, which the role of the application knows little of', async () => {
  const others = openDatabase(database.url, { max: 5 })
  const clients = await Promise.all(Array.from({ length: 5 }, () => others.pool.connect()))
  onTestFinished(async () => {
    for (const client of clients) client.release()
    await others.close()
  })
  expect((await readConnections(database.db)).open).toBeGreaterThanOrEqual(5)
})
