import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { restoreBackup } from '@kustos/database/backup'
import type { TestDatabase } from '@kustos/database/testing'
import { vi } from 'vitest'
import { run } from '../src/commands/run.ts'

export const kustosScript = fileURLToPath(new URL('../src/kustos.ts', import.meta.url))

/** Runs the command as an operator does. */
export async function kustos(
  words: readonly string[],
  { url }: Pick<TestDatabase, 'url'>,
  input?: Buffer,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ code: number; out: Buffer; err: string }> {
  const child = spawn(process.execPath, [kustosScript, ...words], {
    env: { ...process.env, DATABASE_URL: url, ...variables },
  })
  child.stdin.end(input)
  const [out, err, [code]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, out, err }
}

/** The same in this process, for what is over quickly. */
export async function runHere(words: readonly string[], { url }: Pick<TestDatabase, 'url'>): Promise<void> {
  vi.stubEnv('DATABASE_URL', url)
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    await run(words)
  } finally {
    said.mockRestore()
    vi.unstubAllEnvs()
  }
}

/** @returns what is said of the file; null where it is restored */
export const restoreErrorOf = (bytes: Buffer, { url }: Pick<TestDatabase, 'url'>): Promise<string | null> =>
  restoreBackup(url, Readable.from(inPieces(bytes))).then(
    () => null,
    (error: Error) => error.message,
  )

/** As a file is read. */
function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}
