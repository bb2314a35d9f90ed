import { expect, test } from 'vitest'
import { migrate, readMigrations } from '../src/migrations.ts'
import { testDatabase } from '../testing/index.ts'

const { url, owner } = await testDatabase({ empty: true })

test('makes every code a customer, and grants the permissions to roles that may view and edit webs', async () => {
  const tags = (await readMigrations()).map(({ tag }) => tag)
  await migrate(url, tags[tags.findIndex((tag) => tag.endsWith('_customers')) - 1])
  const client = owner.pool
  await client.query(`
    insert into webs (fqdn, fqdn_ascii, customer, configured_ip, deleted_at) values
      ('a.test', 'a.test', 'MÜLLER', '192.0.2.1', null), ('b.test', 'b.test', 'Müller', '192.0.2.1', null),
      ('c.test', 'c.test', 'MÜLLER', '192.0.2.1', null), ('d.test', 'd.test', 'GONE', '192.0.2.1', now());
    insert into external_domains (customer, fqdn, fqdn_ascii, domainprovider) values ('EXTERN', 'e.test', 'e.test', '');
    insert into own_domains (customer, fqdn, fqdn_ascii) values ('', 'f.test', 'f.test'), ('OWN', 'g.test', 'g.test');
    insert into emails (customer, address, type) values ('MAIL', 'a@g.test', 'mailbox');
    insert into roles (name) values ('viewer'), ('editor'), ('other');
    insert into role_permissions select id, 'view webs' from roles where name = 'viewer';
    insert into role_permissions select id, 'edit webs' from roles where name = 'editor';
    insert into role_permissions select id, 'view queue' from roles where name = 'other'`)
  await migrate(url)
  const { rows: codes } = await client.query('select code from customers order by code collate "C"')
  expect(codes.map(({ code }) => code)).toEqual(['EXTERN', 'GONE', 'MAIL', 'MÜLLER', 'Müller', 'OWN'])
  const { rows: granted } = await client.query(
    `select name, permission from role_permissions join roles on id = role_id
    where permission like '% customers' order by 1, 2`,
  )
  expect(granted.map(({ name, permission }) => `${name}: ${permission}`)).toEqual([
    'editor: edit customers',
    'editor: view customers',
    'viewer: view customers',
  ])
})
