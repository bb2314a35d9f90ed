import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@kustos/database/client'
import { startEmbedded } from '@kustos/database/embedded'
import { readMigrations } from '@kustos/database/migrations'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { paths } from '../../src/paths.ts'
import { createRandom } from './random.ts'

test('applies each migration once when several processes start together and some are killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-migrations-'))
  const postgres = await startEmbedded({ folder: join(folder, 'postgres'), durable: false })
  const database = openDatabase(postgres.url, { max: 1, asLogin: true })
  onTestFinished(async () => {
    await database.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const startMigration = () =>
    spawn(process.execPath, [join(paths.root, 'apps/api/src/kustos.ts'), 'migrate'], {
      env: { PATH: process.env.PATH ?? '', DATABASE_URL: postgres.url },
      stdio: 'ignore',
    })
  const random = createRandom(5)
  for (let round = 0; round < 2; round++) {
    const killed = [startMigration(), startMigration()]
    const exits = killed.map((child) => once(child, 'exit'))
    await sleep(random.int(900, 1_600))
    for (const child of killed) child.kill('SIGKILL')
    await Promise.all(exits)
  }
  const codes = await Promise.all(
    [startMigration(), startMigration(), startMigration()].map(
      async (child) => (await once(child, 'exit'))[0],
    ),
  )
  expect(codes).toEqual([0, 0, 0])
  const { rows } = await database.db.execute<{ hash: string }>(
    sql`select hash from drizzle.__drizzle_migrations order by id`,
  )
  expect(rows.map(({ hash }) => hash)).toEqual((await readMigrations()).map(({ hash }) => hash))
})
