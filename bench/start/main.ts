// Measures `npm start` in clean checkouts of the last commit with a filled package store, and again in the same checkout:
// from the command to "Kustos is ready", and from Ctrl-C to its end.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@kustos/clients/testing/free-port'
import { median } from '../median.ts'

const rounds = 3
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'kustos-bench-'))

/** @returns seconds until it was ready, and from Ctrl-C to its end */
async function start(checkout: string): Promise<{ readonly ready: number; readonly end: number }> {
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    // A process group, because Ctrl-C signals the whole group.
    detached: true,
    env: { ...process.env, PORT: String(await freePort()), KUSTOS_DATA_DIR: join(checkout, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let output = ''
  const ready = await new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (output.includes('Kustos is ready at')) resolve(performance.now())
      })
    closed.then(() => reject(new Error(`npm start ended before it was ready:\n${output}`)), reject)
  })
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
  await closed
  return { ready: (ready - startedAt) / 1000, end: (performance.now() - ready) / 1000 }
}

try {
  const clean: number[] = []
  const again: number[] = []
  const ends: number[] = []
  // The first round fills the store.
  for (let round = 0; round <= rounds; round++) {
    const checkout = join(folder, String(round))
    execFileSync('git', ['clone', '--quiet', root, checkout])
    const [first, second] = [await start(checkout), await start(checkout)]
    await rm(checkout, { recursive: true, force: true, maxRetries: 5 })
    if (round === 0) continue
    clean.push(first.ready)
    again.push(second.ready)
    ends.push(first.end, second.end)
  }
  const print = (what: string, seconds: readonly number[], target: number) =>
    console.log(
      `${what.padEnd(36)}${median(seconds).toFixed(1).padStart(6)} s   lowest ${Math.min(...seconds).toFixed(1)}, highest ${Math.max(...seconds).toFixed(1)}   target: at most ${target}`,
    )
  print('npm start, clean checkout', clean, 30)
  print('npm start, the same checkout again', again, 30)
  print('ended after Ctrl-C', ends, 10)
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
