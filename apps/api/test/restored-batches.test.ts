import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { batches, batchTargets, deployments, logEntries, webs } from '@kustos/database/tables'
import { type TestDatabase, testDatabase } from '@kustos/database/testing'
import { advanceBatches } from '@kustos/domain/batches'
import { createContext } from '@kustos/domain/platform/context'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServices } from './api-client.ts'
import { kustos } from './backup-commands.ts'
import { openDeployments } from './deployments.ts'

const folder = mkdtempSync(join(tmpdir(), 'kustos-restored-batches-'))
afterAll(() => rmSync(folder, { recursive: true }))

const advance = async (database: TestDatabase) => {
  const { deployments: tools } = await createTestServices(database)
  await advanceBatches(createContext(database), tools, new AbortController().signal)
}

const readTargets = ({ db }: TestDatabase, batch: number) =>
  db.select().from(batchTargets).where(eq(batchTargets.batch_id, batch)).orderBy(batchTargets.position)

describe('batches of a backup', async () => {
  const [source, restored, resumed] = await Promise.all([
    testDatabase(),
    testDatabase({ empty: true }),
    testDatabase({ empty: true }),
  ])
  const file = join(folder, 'backup')
  let deploying = 0
  let editing = 0

  /** One web of four is done, two are deployed, and one is still waiting; a batch of edits has not begun. */
  beforeAll(async () => {
    const { all, insertWeb } = await openDeployments(source)
    const ids = [await insertWeb(), await insertWeb(), await insertWeb(), await insertWeb()]
    const create = async (body: object) =>
      ((await (await all.send('POST', '/api/batches', body)).json()) as { id: number }).id
    deploying = await create({ action: 'updateWeb', webs: ids, parallel: 2, stop_above: 100 })
    await advance(source)
    await source.db.update(deployments).set({ state: 'succeeded', ended_at: new Date() })
    await advance(source)
    editing = await create({ action: 'edit', webs: ids, edits: { comment: 'New' } })
    expect((await readTargets(source, deploying)).map(({ state }) => state)).toEqual([
      'succeeded',
      'running',
      'running',
      'waiting',
    ])
    expect((await kustos(['backup', file], source)).code).toBe(0)
  })

  test('start no deployments by themselves, since these may have ended long ago', async () => {
    const { code, out } = await kustos(['restore', file], restored)
    expect(code).toBe(0)
    const before = await restored.db.$count(deployments)
    await advance(restored)
    expect(await restored.db.$count(deployments)).toBe(before)
    expect(out.toString()).toContain(
      'Webs that batches of deployments had not started yet are not started: 1. Retry these batches in the console if they are still wanted.',
    )
    expect(await readTargets(restored, deploying)).toMatchObject([
      { state: 'succeeded' },
      { state: 'failed', error_code: 'ended_by_restore' },
      { state: 'failed', error_code: 'ended_by_restore' },
      { state: 'cancelled', error_code: 'batch_ended_by_restore' },
    ])
    const [batch] = await restored.db.select().from(batches).where(eq(batches.id, deploying))
    expect(batch).toMatchObject({ state: 'cancelled', ended_at: expect.any(Date) })
    const entries = await restored.db.select().from(logEntries).where(eq(logEntries.subject_type, 'batch'))
    expect(entries.filter(({ description }) => description === 'cancelled')).toMatchObject([
      {
        log_name: 'batches',
        subject_id: deploying,
        causer_id: null,
        properties: { attributes: { action: 'updateWeb', webs: 1, by: 'command line' } },
      },
    ])
  })

  test('go on if they only change what the backup has', async () => {
    expect((await readTargets(restored, editing)).map(({ state }) => state)).toEqual(
      Array(4).fill('succeeded'),
    )
    expect(await restored.db.$count(webs, eq(webs.comment, 'New'))).toBe(4)
  })

  test('go on with --resume-deployments', async () => {
    expect((await kustos(['restore', file, '--resume-deployments'], resumed)).code).toBe(0)
    await resumed.db
      .update(deployments)
      .set({ state: 'succeeded', ended_at: new Date() })
      .where(eq(deployments.state, 'waiting'))
    await advance(resumed)
    expect((await readTargets(resumed, deploying)).map(({ state }) => state)).toEqual([
      'succeeded',
      'succeeded',
      'succeeded',
      'running',
    ])
  })
})
