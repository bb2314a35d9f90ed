import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { findMigrationFaults, type Release, sumMigrations } from './migrations.ts'

interface File {
  readonly tag: string
  readonly sql: string
  readonly when: number
  readonly id: string
  readonly prevId: string
}

const start: File = { tag: '0000_start', sql: 'create table webs (id int);', when: 1, id: 'a', prevId: '0' }
const next = (sql: string, differences: Partial<File> = {}): File => ({
  tag: '0001_next',
  sql,
  when: 2,
  id: 'b',
  prevId: 'a',
  ...differences,
})

async function check(
  files: readonly File[],
  releases = [release('1'), release('2')],
  orphans: string[] = [],
) {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'meta'))
  const entries = files.map(({ tag, when }, idx) => ({ idx, tag, when }))
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }))
  for (const { tag, sql, id, prevId } of files) {
    await writeFile(join(folder, `${tag}.sql`), sql)
    const number = tag.slice(0, 4)
    await writeFile(join(folder, `meta/${number}_snapshot.json`), JSON.stringify({ id, prevId }))
  }
  for (const name of orphans) await writeFile(join(folder, name), 'select 1;')
  return findMigrationFaults(folder, releases)
}

const release = (name: string, differences: Partial<Release> = {}): Release => ({
  name,
  commit: '0'.repeat(40),
  migration: '0000_start',
  checksum: sumMigrations([start.sql]),
  ...differences,
})

/** Statements that lock a table for long, and need a reason. */
const slow: readonly (readonly [rule: string, sql: string])[] = [
  ['require-concurrent-index-creation', 'CREATE INDEX "i" ON "webs" ("a");'],
  ['require-concurrent-index-deletion', 'DROP INDEX "i";'],
  ['adding-foreign-key-constraint', 'ALTER TABLE "webs" ADD COLUMN "n" int REFERENCES "nodes"("id");'],
  ['constraint-missing-not-valid', 'ALTER TABLE "webs" ADD CONSTRAINT "c" CHECK (a > 0);'],
  ['adding-field-with-default', 'ALTER TABLE "webs" ADD COLUMN "r" double precision DEFAULT random();'],
  ['adding-field-with-default', 'ALTER TABLE "webs" ADD COLUMN "u" uuid DEFAULT gen_random_uuid() NOT NULL;'],
  ['changing-rows', 'UPDATE "webs" SET "a" = 1;'],
  ['ban-drop-not-null', 'ALTER TABLE "webs" ALTER COLUMN "a" DROP NOT NULL;'],
  ['changing-rows', 'WITH "old" AS (SELECT 1)\nDELETE FROM "webs";'],
  ['changing-rows', 'DO $$ BEGIN UPDATE webs SET a = 1; END $$;'],
]

/** Statements that the last release does not survive, and may follow one that no longer needs what they take away. */
const breaking: readonly (readonly [rule: string, sql: string])[] = [
  ['ban-drop-column', 'ALTER TABLE "webs" DROP COLUMN "a";'],
  ['ban-drop-table', 'DROP TABLE "webs";'],
  ['renaming-column', 'ALTER TABLE "webs" RENAME COLUMN "a" TO "b";'],
  ['renaming-table', 'ALTER TABLE "webs" RENAME TO "sites";'],
  ['renaming-constraint', 'ALTER INDEX "i" RENAME TO "j";'],
  ['renaming-constraint', 'ALTER TABLE "webs" RENAME CONSTRAINT "c" TO "d";'],
  ['changing-column-type', 'ALTER TABLE "webs" ALTER COLUMN "a" SET DATA TYPE bigint;'],
  ['adding-not-nullable-field', 'ALTER TABLE "webs" ALTER COLUMN "a" SET NOT NULL;'],
  ['adding-required-field', 'ALTER TABLE "webs" ADD COLUMN "b" int NOT NULL;'],
  ['dropping-function', 'DROP FUNCTION "move_revision";'],
]

describe('a new migration', () => {
  it.each(slow)('with %s needs a reason: %s', async (rule, sql) => {
    const [fault, ...others] = await check([start, next(sql)])
    expect(fault).toMatch(/^0001_next\.sql:\d+: /)
    expect(fault).toContain(`\`-- allow ${rule}: <reason>\``)
    expect(others).toEqual([])
    expect(await check([start, next(`-- allow ${rule}: a row per node\n${sql}`)])).toEqual([])
  })

  it.each(breaking)('with %s names the release that last used the old state: %s', async (rule, sql) => {
    const [fault, ...others] = await check([start, next(sql)])
    expect(fault).toContain(`\`-- allow ${rule}, last used in <release>: <reason>\``)
    expect(others).toEqual([])
    const withMarker = (marker: string) => check([start, next(`-- allow ${rule}${marker}\n${sql}`)])
    expect(await withMarker(', last used in 1: nothing reads it any more')).toEqual([])
    expect(await withMarker(': nothing reads it any more')).toEqual([
      expect.stringContaining(`\`-- allow ${rule}, last used in <release>: <reason>\``),
    ])
    expect(await withMarker(', last used in 2: nothing reads it any more')).toEqual([
      expect.stringContaining('release 2 still runs while this migration is applied'),
    ])
    expect(await withMarker(', last used in 3: nothing reads it any more')).toEqual([
      expect.stringContaining('there is no release 3'),
    ])
  })

  it('may take away what the same transaction replaces', async () => {
    const sql = [
      '-- allow renaming-table, replaced below: a view has its name\nALTER TABLE "webs" RENAME TO "sites";',
      'CREATE VIEW "webs" AS SELECT * FROM "sites";',
    ]
    expect(await check([start, next(sql.join('\n--> statement-breakpoint\n'))])).toEqual([])
  })

  it('is reported with its line, once', async () => {
    const statements = [
      'CREATE TABLE "a" ();',
      '-- Why.\nDROP TABLE "b";',
      'ALTER INDEX "c" RENAME TO "d";',
      'SELECT 1;',
    ]
    expect(await check([start, next(statements.join('--> statement-breakpoint\n'))])).toEqual([
      expect.stringMatching(/^0001_next\.sql:3: .* ban-drop-table/),
      expect.stringMatching(/^0001_next\.sql:4: .* renaming-constraint/),
    ])
  })

  it.each([
    'ALTER TABLE "webs" ADD COLUMN "b" int DEFAULT 0 NOT NULL;',
    'ALTER TABLE "webs" ADD COLUMN "b" timestamptz DEFAULT now() NOT NULL;',
    'ALTER TABLE "webs" ADD CONSTRAINT "c" CHECK (a > 0) NOT VALID;',
    'CREATE TABLE "new" ("a" int);\n--> statement-breakpoint\nCREATE INDEX "i" ON "new" ("a");',
    'CREATE TABLE "new" ("a" int);\n--> statement-breakpoint\nUPDATE "new" SET "a" = 1;',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "webs" ("a");',
    'CREATE FUNCTION "f"() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN UPDATE webs SET a = 1; RETURN NULL; END $$;',
    'CREATE TRIGGER "t" AFTER INSERT OR UPDATE OR DELETE ON "webs" FOR EACH ROW EXECUTE FUNCTION f();',
    'INSERT INTO "permissions" ("name") VALUES (\'export logs\') ON CONFLICT DO NOTHING;',
  ])('may contain %s', async (sql) => {
    expect(await check([start, next(sql)])).toEqual([])
  })

  it.each([
    [
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "webs" ("a");\n--> statement-breakpoint\nALTER TABLE "webs" ADD COLUMN "b" int;',
      'a file with concurrent indexes contains nothing else',
    ],
    [
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "webs" ("a"); DROP INDEX CONCURRENTLY IF EXISTS "j";',
      'a file with concurrent indexes has one statement between breakpoints',
    ],
    ['CREATE INDEX CONCURRENTLY "i" ON "webs" ("a");', 'prefer-robust-stmts'],
    ['-- squawk-ignore ban-drop-table\nDROP TABLE "webs";', 'squawk-ignore'],
    ['-- allow ban-drop-table: gone\nSELECT 1;', 'allows ban-drop-table, which does not occur'],
    ['ALTER TABEL "webs";', 'syntax-error'],
  ])('must not contain %s', async (sql, message) => {
    expect(await check([start, next(sql)])).toContainEqual(expect.stringContaining(message))
  })
})

describe('the journal', () => {
  const harmless = next('select 1;')
  test('needs ascending times, consecutive numbers and a chain of snapshots', async () => {
    expect(await check([start, harmless])).toEqual([])
    expect(await check([start, { ...harmless, when: 1 }])).toEqual([
      expect.stringContaining('0001_next was created before 0000_start'),
    ])
    expect(await check([start, { ...harmless, tag: '0002_next' }])).toContainEqual(
      expect.stringContaining('0002_next has number 1 in the journal'),
    )
    expect(await check([start, { ...harmless, prevId: '0' }])).toEqual([
      expect.stringContaining('the snapshot of 0001_next does not follow the one of 0000_start'),
    ])
  })

  test('names every file', async () => {
    expect(await check([start], undefined, ['0001_lost.sql'])).toEqual([
      expect.stringContaining('0001_lost.sql is not in the journal'),
    ])
  })

  test('keeps what was released', async () => {
    expect(await check([{ ...start, sql: 'create table webs (id bigint);' }])).toEqual([
      expect.stringContaining('up to 0000_start, which release 1 contains, have changed'),
      expect.stringContaining('up to 0000_start, which release 2 contains, have changed'),
    ])
    expect(await check([start], [release('1', { migration: '0009_gone' })])).toEqual([
      expect.stringContaining('0009_gone, the last migration of release 1, is gone'),
    ])
  })
})
