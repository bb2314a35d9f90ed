import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '@kustos/database/testing'
import { archiveLog, sealLog } from '@kustos/domain/logs'
import { createContext } from '@kustos/domain/platform/context'
import { expect, it, onTestFinished } from 'vitest'
import { createUser } from './api-client.ts'
import { kustos } from './backup-commands.ts'

const database = await testDatabase()
const context = createContext(database)
const { signal } = new AbortController()
const verify = async (...args: string[]) => {
  const { code, out, err } = await kustos(['audit:verify', ...args], database)
  return { code, out: out.toString(), err }
}

it('prints the head of an untouched log, and names the first entry that was changed with exit code 1', async () => {
  await createUser(database, 'admin@kustos.test', 'admin')
  const changePassword = () =>
    kustos(['user:password', 'admin@kustos.test'], database, Buffer.from('a password that is new\n'))
  for (let n = 0; n < 3; n++) expect(await changePassword()).toMatchObject({ code: 0 })
  const head = (await sealLog(context, signal))?.head ?? ''
  await changePassword()
  const { rows } = await database.pool.query<{ id: string }>('select id from log_entries order by id')
  const noted = `Head of the chain, to be noted elsewhere: ${head}\n`
  expect(await verify()).toEqual({
    code: 0,
    out: `Entries unchanged since sealing: 3. Newer ones that are not sealed yet: 1.\n${noted}`,
    err: '',
  })
  expect(await verify('--head', head)).toMatchObject({ code: 0 })
  expect(await verify('--head', '2:abc')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^--head must be/),
  })
  expect(await verify('--head', `7${head.slice(1)}`)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^The chain ends with seal 1, before seal 7 that was noted\./),
  })

  await database.owner.pool.query(`
    alter table log_entries disable trigger user;
    update log_entries set causer_id = null, description = 'signed in' where id >= ${rows[1]?.id};
    alter table log_entries enable trigger user`)
  expect(await verify()).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(
      new RegExp(
        `^Entry ${rows[1]?.id} of \\S+ \\(UTC\\) was changed after seal 1\\.\nEverything up to seal 0:0{64} is`,
      ),
    ),
  })
})

it('checks an archive against the chain, and lists the archives', async () => {
  const archived = await testDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'kustos-archive-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await archived.owner.pool.query(`
    insert into log_settings (retention_months) values (12);
    insert into log_entries (created_at, log_name, description, properties)
    values ('2020-01-31T23:59:59Z', 'webs', 'updated', '{}'), ('2020-02-01T00:00:00Z', 'webs', 'updated', '{}');
    select make_log_partitions(now())`)
  const ownContext = createContext(archived)
  await sealLog(ownContext, signal)
  const { file } = (await archiveLog(ownContext, folder, signal)) ?? { file: '' }
  const path = join(folder, file)
  const archive = `${path}: 1 entries from 2020-01-01 until before 2020-02-01, unchanged since sealing.\n`
  const log = [
    'Entries unchanged since sealing: 1. Newer ones that are not sealed yet: 1.',
    `Archived in ${file}: 1 from 2020-01-01 until before 2020-02-01.`,
  ].join('\n')
  const { code, out, err } = await kustos(['audit:verify', path], archived)
  expect([code, out.toString(), err]).toEqual([0, expect.stringContaining(`${archive}${log}\n`), ''])
  // Another database knows neither its seals nor the archive.
  expect(await verify(path)).toMatchObject({
    code: 1,
    err: expect.stringContaining('not those of this database'),
  })
  expect(await verify(`${path}.gz`)).toMatchObject({ code: 1, err: expect.stringContaining('ENOENT') })
})
