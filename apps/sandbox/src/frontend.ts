import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { places } from './places.ts'
import { Refusal, reasonOf } from './refusal.ts'

const built = join(places.web, 'dist')
/** Says which sources the build beside it was made of. */
const stamp = '.sources'

/**
 * Builds the frontend unless there is a build of the very same sources.
 *
 * @param log gets what the build has to say
 * @throws Refusal where it fails
 */
export async function buildFrontend(log: string, signal: AbortSignal): Promise<'built' | 'unchanged'> {
  const sources = await hashSources()
  if ((await readFile(join(built, stamp), 'utf8').catch(() => '')) === sources) return 'unchanged'
  // Built aside, so that a build that is interrupted is never served.
  const making = join(places.web, 'node_modules', `.building-${process.pid}`)
  const old = `${making}-old`
  try {
    const { code, output } = await vite(making, signal)
    await writeFile(log, output)
    if (signal.aborted) throw new Refusal('The build of the frontend was interrupted.')
    if (code !== 0) {
      throw new Refusal(`The frontend cannot be built: ${complaintOf(output)} (${log}).`)
    }
    await writeFile(join(making, stamp), sources)
    await rename(built, old).catch(() => undefined)
    await rename(making, built)
  } finally {
    await rm(making, { recursive: true, force: true })
    await rm(old, { recursive: true, force: true })
  }
  return 'built'
}

function vite(folder: string, signal: AbortSignal): Promise<{ code: number | null; output: string }> {
  let program: string
  try {
    const manifest = createRequire(join(places.web, 'package.json')).resolve('vite/package.json')
    program = join(dirname(manifest), 'bin/vite.js')
  } catch (error) {
    throw new Refusal(`The frontend cannot be built: vite is not installed (${reasonOf(error)}).`)
  }
  return new Promise((resolve, reject) => {
    const args = [program, 'build', '--logLevel', 'warn', '--outDir', folder, '--emptyOutDir']
    const child = spawn(process.execPath, args, {
      cwd: places.web,
      env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    signal.addEventListener('abort', () => child.kill('SIGKILL'), { once: true })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** The first thing that vite deplores, and where. */
function complaintOf(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(✗|error during build|build failed)/i.test(line))
  const [place] = /[\w./-]+\.\w+:\d+:\d+/.exec(lines.join('\n')) ?? []
  const [first = 'vite gives no reason'] = lines
  return place === undefined || first.includes(place) ? first : `${first}, at ${place}`
}

/** Over everything that the build reads; by content, since a checkout gives files new times. */
async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  const read = async (path: string) => {
    hash.update(`${relative(places.root, path)}\0`).update(await readFile(path))
  }
  const walk = async (folder: string) => {
    const entries = await readdir(folder, { withFileTypes: true })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name === 'test') continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) await walk(path)
      else if (!entry.name.includes('.test.')) await read(path)
    }
  }
  await walk(places.web)
  await walk(places.contract)
  await read(places.lockfile)
  return hash.digest('hex')
}
