import { expect, test } from 'vitest'
import { migrate, readMigrations } from '../src/migrations.ts'
import { testDatabase } from '../testing/index.ts'

const { url, owner } = await testDatabase({ empty: true })

test('takes a system user from all active webs of a node that share it, and logs each', async () => {
  const tags = (await readMigrations()).map(({ tag }) => tag)
  await migrate(url, tags[tags.findIndex((tag) => tag.endsWith('one_web_for_a_system_user')) - 1])
  const client = owner.pool
  await client.query("insert into nodes (name, plesk_fqdn) values ('n1', 'n1.test'), ('n2', 'n2.test')")
  await client.query(`
    insert into webs (fqdn, fqdn_ascii, customer, configured_ip, node_id, sysuser, deleted_at)
    select fqdn, fqdn, 'ALPEN', '192.0.2.1', node, sysuser, deleted from (values
      ('first.test', 1, 'bn1', null::timestamptz), ('second.test', 1, 'bn1', null), ('third.test', 1, 'bn1', null),
      ('elsewhere.test', 2, 'bn1', null), ('single.test', 1, 'bn2', null), ('deleted.test', 1, 'bn2', now()),
      ('unknown.test', 1, null, null), ('unknown-too.test', 1, null, null), ('nowhere.test', null, 'bn1', null),
      ('nowhere-too.test', null, 'bn1', null)
    ) as given (fqdn, node, sysuser, deleted)`)
  await migrate(url)
  const { rows } = await client.query('select fqdn, sysuser from webs order by id')
  expect(Object.fromEntries(rows.map(({ fqdn, sysuser }) => [fqdn, sysuser]))).toEqual({
    'first.test': null,
    'second.test': null,
    'third.test': null,
    'elsewhere.test': 'bn1',
    'single.test': 'bn2',
    'deleted.test': 'bn2',
    'unknown.test': null,
    'unknown-too.test': null,
    'nowhere.test': 'bn1',
    'nowhere-too.test': 'bn1',
  })
  const { rows: entries } = await client.query(
    'select log_name, description, subject_type, subject_id, causer_id, properties from log_entries order by subject_id',
  )
  expect(entries).toEqual(
    [1, 2, 3].map((id) => ({
      log_name: 'webs',
      description: 'updated',
      subject_type: 'web',
      subject_id: id,
      causer_id: null,
      properties: { old: { sysuser: 'bn1' }, attributes: { sysuser: null } },
    })),
  )
  const share = "update webs set sysuser = 'bn1' where fqdn in ('first.test', 'second.test')"
  await expect(client.query(share)).rejects.toThrow('webs_active_sysuser')
})
