import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openDatabase } from '../src/client.ts'
import { testDatabase } from '../testing/index.ts'

const { url, owner } = await testDatabase()

test('a connection that is lost between two statements fails its transaction, and nothing else', async () => {
  const lost: Error[] = []
  const database = openDatabase(url, { max: 1, onConnectionLost: (error) => lost.push(error) })
  try {
    const transaction = database.db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      const ended = new Promise<void>((resolve) => {
        database.pool.once('remove', () => resolve())
        setTimeout(resolve, 300)
      })
      await owner.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
      await ended
      await tx.execute(sql`select 1`)
    })
    await expect(transaction).rejects.toThrow()
    expect(lost.length).toBeGreaterThan(0)
    const { rows } = await database.db.execute(sql`select 1 as one`)
    expect(rows).toEqual([{ one: 1 }])
  } finally {
    await database.close()
  }
})
