import { deploymentLines, deployments } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, count, desc, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { purgeDeploymentLines } from '../src/deployment/index.ts'
import { openLogWriter } from '../src/deployment/log-writer.ts'
import { createContext } from '../src/platform/context.ts'

const database = await testDatabase()
const { db, pool } = database
const context = createContext(database, null, () => new Date('2026-11-20T10:00:00Z'))

const addDeployments = (count: number, endedAt: string) =>
  pool.query(
    `with added as (
      insert into deployments (kind, state, fqdn, created_at, updated_at, ended_at)
      select 'clearCache', 'succeeded', 'web' || n || '.test', $2, $2, $2 from generate_series(1, $1::int) n returning id
    )
    insert into deployment_lines (deployment_id, number, step, source, text, at)
    select id, number, 0, 'stdout', 'cleared', $2 from added, generate_series(1, 2) number`,
    [count, endedAt],
  )

it('removes the output of all deployments that ended ninety days ago, and of no other', async () => {
  // More than are removed at once, as after a batch for many webs.
  await addDeployments(2_100, '2026-08-22T09:59:59Z')
  await addDeployments(1, '2026-08-22T10:00:01Z')
  expect(await purgeDeploymentLines(context)).toEqual({ deployments: 2_100 })
  const kept = await db
    .select({ ended_at: deployments.ended_at })
    .from(deploymentLines)
    .innerJoin(deployments, eq(deployments.id, deploymentLines.deployment_id))
    .orderBy(asc(deploymentLines.number))
  expect(kept).toEqual([1, 2].map(() => ({ ended_at: new Date('2026-08-22T10:00:01Z') })))
  expect(await purgeDeploymentLines(context)).toEqual({ deployments: 0 })
})

it.each([
  { output: 'empty lines', text: '', kept: 50_001, limit: '50,000 lines' },
  { output: 'long lines', text: 'x'.repeat(10_000), kept: 106, limit: '1 MiB' },
])('keeps a limited number of $output', async ({ text, kept, limit }) => {
  const [row] = await db
    .insert(deployments)
    .values({ kind: 'updateWeb', fqdn: 'gerede.test', created_at: context.now(), updated_at: context.now() })
    .returning()
  const id = row?.id ?? 0
  const signal = new AbortController().signal
  const write = async (lines: number) => {
    const log = await openLogWriter(context, id, signal)
    for (let written = 0; written < lines; written++) log.write(0, 'out', text)
    await log.flush()
  }
  await write(60_000)
  // As after the takeover by another worker.
  await write(1_000)
  const ofDeployment = eq(deploymentLines.deployment_id, id)
  expect(await db.select({ lines: count() }).from(deploymentLines).where(ofDeployment)).toEqual([
    { lines: kept },
  ])
  const [last] = await db
    .select()
    .from(deploymentLines)
    .where(ofDeployment)
    .orderBy(desc(deploymentLines.number))
    .limit(1)
  expect(last).toMatchObject({
    source: 'note',
    text: `The log reached ${limit}. Further output is discarded.`,
  })
})
