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

/** Runs a command in its own process. */
export async function kustos(
  args: readonly string[],
  { url }: Pick<TestDatabase, 'url'>,
  input?: Buffer,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ code: number; out: Buffer; err: string }> {
  const child = spawn(process.execPath, [kustosScript, ...args], {
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

/** Runs a command in this process, which is faster. */
export async function runInProcess(
  args: readonly string[],
  { url }: Pick<TestDatabase, 'url'>,
): Promise<void> {
  vi.stubEnv('DATABASE_URL', url)
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    await run(args)
  } finally {
    stderr.mockRestore()
    vi.unstubAllEnvs()
  }
}

/** @returns the error message of a restore, or null */
export const getRestoreError = (bytes: Buffer, { url }: Pick<TestDatabase, 'url'>): Promise<string | null> =>
  restoreBackup(url, Readable.from(splitChunks(bytes))).then(
    () => null,
    (error: Error) => error.message,
  )

/** Splits bytes like a file stream. */
function* splitChunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}
