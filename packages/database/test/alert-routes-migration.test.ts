import { expect, test } from 'vitest'
import { migrate, readMigrations } from '../src/migrations.ts'
import { testDatabase } from '../testing/index.ts'

const { url, owner } = await testDatabase({ empty: true })

test('takes deleted nodes out of alert routes, and turns those off that named no other', async () => {
  const tags = (await readMigrations()).map(({ tag }) => tag)
  await migrate(url, tags[tags.findIndex((tag) => tag.endsWith('_routes_of_deleted_nodes')) - 1])
  const client = owner.pool
  await client.query(`insert into nodes (name, plesk_fqdn) values ('n1', 'n1.test'), ('n2', 'n2.test')`)
  const { rows: nodes } = await client.query<{ id: number }>('select id from nodes order by id')
  const [first = 0, second = 0] = nodes.map(({ id }) => id)
  const routes: readonly (readonly [string, readonly number[], boolean])[] = [
    ['all nodes', [], true],
    ['known nodes', [second, first], true],
    ['some are deleted', [second, 900, first], true],
    ['all are deleted', [900, 901], true],
    ['off', [900, first], false],
  ]
  for (const [name, ids, isActive] of routes)
    await client.query(
      `insert into alert_routes (name, position, is_active, customers, tags, node_ids, severities, weekdays, replaces_channels,
        continues, steps)
      values ($1, 1, $2, '{}', '{}', $3, '{}', '{}', false, false, '[]')`,
      [name, isActive, ids],
    )
  await migrate(url)
  const { rows } = await client.query('select name, node_ids, is_active from alert_routes order by id')
  expect(rows.map(({ name, node_ids, is_active }) => [name, node_ids, is_active])).toEqual([
    ['all nodes', [], true],
    ['known nodes', [second, first], true],
    ['some are deleted', [second, first], true],
    ['all are deleted', [], false],
    ['off', [first], false],
  ])
})
