import { expect, test } from 'vitest'
import { migrate, readMigrations } from '../src/migrations.ts'
import { testDatabase } from '../testing/index.ts'

const { url, owner } = await testDatabase({ empty: true })

test('grants the permission for tags to roles that may edit webs', async () => {
  const names = (await readMigrations()).map(({ tag }) => tag)
  await migrate(url, names[names.findIndex((name) => name.endsWith('_tags')) - 1])
  const client = owner.pool
  await client.query(`
    insert into webs (fqdn, fqdn_ascii, customer, configured_ip) values ('a.test', 'a.test', 'A', '192.0.2.1');
    insert into roles (name) values ('viewer'), ('editor');
    insert into role_permissions select id, 'view webs' from roles where name = 'viewer';
    insert into role_permissions select id, 'edit webs' from roles where name = 'editor'`)
  await migrate(url)
  const { rows } = await client.query('select tags from webs')
  expect(rows).toEqual([{ tags: [] }])
  const { rows: granted } = await client.query(
    `select name from role_permissions join roles on id = role_id where permission = 'edit tags'`,
  )
  expect(granted).toEqual([{ name: 'editor' }])
})
