import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { command, root } from './command.ts'
import { judge, type Outcome } from './gate.ts'
import { findUnsafeStatements, isConcurrent } from './migration-rules.ts'

/** A state of Kustos that customers run. */
export interface Release {
  readonly name: string
  readonly commit: string
  /** The tag of its last migration. */
  readonly migration: string
  /** Of its migrations' contents. */
  readonly checksum: string
}

const migrationsFolder = join(root, 'drizzle')
const releasesFile = join(root, 'packages/database/releases.json')

const readReleases = async (): Promise<readonly Release[]> => JSON.parse(await readFile(releasesFile, 'utf8'))

/** Checks the order of migrations, and the rules of docs/migrations.md for those that are not released yet. */
export async function migrations(): Promise<Outcome> {
  return judge(await findMigrationFaults(migrationsFolder, await readReleases()))
}

interface File {
  readonly tag: string
  readonly when: number
  readonly sql: string
}

/** @param releases the oldest first */
export async function findMigrationFaults(
  folder: string,
  releases: readonly Release[],
): Promise<readonly string[]> {
  const files = await readFiles(folder)
  const released = files.findIndex(({ tag }) => tag === releases.at(-1)?.migration)
  const recent = files.slice(released + 1)
  const findings = await Promise.all(
    [recent.filter(isConcurrent), recent.filter((file) => !isConcurrent(file))].map((some) =>
      findUnsafeStatements(folder, some, releases),
    ),
  )
  return [
    ...(await findJournalFaults(folder, files)),
    ...findChangedReleases(files, releases),
    ...findings.flat(),
  ]
}

async function readFiles(folder: string): Promise<readonly File[]> {
  const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
    await readFile(join(folder, 'meta/_journal.json'), 'utf8'),
  )
  return Promise.all(
    journal.entries.map(async ({ tag, when }) => ({
      tag,
      when,
      sql: await readFile(join(folder, `${tag}.sql`), 'utf8'),
    })),
  )
}

async function findJournalFaults(folder: string, files: readonly File[]): Promise<readonly string[]> {
  const faults: string[] = []
  let previous: (File & { readonly id: string }) | undefined
  for (const [index, file] of files.entries()) {
    const { tag, when } = file
    if (!tag.startsWith(`${String(index).padStart(4, '0')}_`))
      faults.push(`${tag} has number ${index} in the journal.`)
    const snapshot = join(folder, `meta/${tag.slice(0, 4)}_snapshot.json`)
    const { id, prevId }: { id: string; prevId: string } = JSON.parse(await readFile(snapshot, 'utf8'))
    if (previous !== undefined && when <= previous.when)
      faults.push(`${tag} was created before ${previous.tag}, which precedes it: ${generateAgain}`)
    if (previous !== undefined && prevId !== previous.id)
      faults.push(`the snapshot of ${tag} does not follow the one of ${previous.tag}: ${generateAgain}`)
    previous = { ...file, id }
  }
  const known = new Set(files.map(({ tag }) => `${tag}.sql`))
  const lost = (await readdir(folder)).filter((name) => name.endsWith('.sql') && !known.has(name))
  return [...faults, ...lost.map((name) => `${name} is not in the journal: ${generateAgain}`)]
}

const generateAgain = 'remove its files, take the journal of main and generate it again.'

function findChangedReleases(files: readonly File[], releases: readonly Release[]): readonly string[] {
  return releases.flatMap(({ name, migration, checksum }) => {
    const last = files.findIndex(({ tag }) => tag === migration)
    if (last === -1) return [`${migration}, the last migration of release ${name}, is gone.`]
    const isSame = sumMigrations(files.slice(0, last + 1).map(({ sql }) => sql)) === checksum
    return isSame
      ? []
      : [`The migrations up to ${migration}, which release ${name} contains, have changed: add a new one.`]
  })
}

/** SHA-256 in hexadecimal. */
export const sumMigrations = (contents: readonly string[]): string =>
  createHash('sha256').update(contents.join('\0')).digest('hex')

/** `node .ci/migrations.ts 2027.1` adds the checked out commit as a release. */
if (import.meta.main) {
  const [, , name] = process.argv
  const { ok, output } = await command('git', ['rev-parse', 'HEAD'])
  const files = await readFiles(migrationsFolder)
  if (name === undefined || !ok) throw new Error('It takes the name of a release, and git.')
  const release: Release = {
    name,
    commit: output.trim(),
    migration: files.at(-1)?.tag ?? '',
    checksum: sumMigrations(files.map(({ sql }) => sql)),
  }
  const releases = [...(await readReleases()), release]
  await writeFile(releasesFile, `${JSON.stringify(releases, null, 2)}\n`)
}
