import { readdir, readFile } from 'node:fs/promises'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { expect, test } from 'vitest'
import * as tables from '../src/tables/index.ts'

const folder = new URL('../../../drizzle/meta/', import.meta.url)

test('has a migration for every change of the tables; otherwise run `pnpm generate`', async () => {
  const snapshots = (await readdir(folder)).filter((name) => name.endsWith('_snapshot.json'))
  const latest = snapshots.toSorted().at(-1) ?? ''
  const migrated = JSON.parse(await readFile(new URL(latest, folder), 'utf8'))
  const missing = await generateMigration(migrated, generateDrizzleJson(tables, migrated.id))
  expect(missing).toEqual([])
})
