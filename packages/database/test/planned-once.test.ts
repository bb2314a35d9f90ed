import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openDatabase } from '../src/client.ts'
import { planOnce } from '../src/planned-once.ts'
import { testDatabase } from '../testing/index.ts'

const { url } = await testDatabase()

test('a connection plans a statement once, whatever the values, and only the first statements', async () => {
  const { pool, close } = openDatabase(url, { max: 1 })
  const read = planOnce()
  try {
    for (const id of [1, 2, 3]) expect(await read(pool, sql`select ${id}::int as id`)).toEqual([{ id }])
    for (let column = 0; column < 10; column++)
      expect(await read(pool, sql`select ${7}::int as ${sql.identifier(`c${column}`)}`)).toEqual([
        { [`c${column}`]: 7 },
      ])
    const { rows } = await pool.query(
      'select generic_plans::int, custom_plans::int from pg_prepared_statements order by prepare_time',
    )
    expect(rows).toEqual([
      { generic_plans: 3, custom_plans: 0 },
      ...Array.from({ length: 7 }, () => ({ generic_plans: 1, custom_plans: 0 })),
    ])
    expect((await pool.query('show plan_cache_mode')).rows).toEqual([{ plan_cache_mode: 'auto' }])
  } finally {
    await close()
  }
})
