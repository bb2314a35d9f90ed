import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { paths } from './paths.ts'
import { describeError, StartError } from './start-error.ts'

const dist = join(paths.web, 'dist')
/** The file of a build that contains the hash of its sources. */
const hashFile = '.sources'

/**
 * Builds the frontend unless its sources are unchanged.
 * @param log where the output of the build is written
 * @throws StartError if it fails
 */
export async function buildFrontend(log: string, signal: AbortSignal): Promise<'built' | 'unchanged'> {
  const hash = await hashSources()
  if ((await readFile(join(dist, hashFile), 'utf8').catch(() => '')) === hash) return 'unchanged'
  // In a temporary folder, so that an incomplete build is never served.
  const temporary = join(paths.web, 'node_modules', `.building-${process.pid}`)
  const previous = `${temporary}-old`
  try {
    const { code, output } = await runVite(temporary, signal)
    await writeFile(log, output)
    if (signal.aborted) throw new StartError('The build of the frontend was interrupted.')
    if (code !== 0) throw new StartError(`The frontend cannot be built: ${findError(output)} (${log}).`)
    await writeFile(join(temporary, hashFile), hash)
    await rename(dist, previous).catch(() => undefined)
    await rename(temporary, dist)
  } finally {
    await rm(temporary, { recursive: true, force: true })
    await rm(previous, { recursive: true, force: true })
  }
  return 'built'
}

function runVite(folder: string, signal: AbortSignal): Promise<{ code: number | null; output: string }> {
  let program: string
  try {
    const manifest = createRequire(join(paths.web, 'package.json')).resolve('vite/package.json')
    program = join(dirname(manifest), 'bin/vite.js')
  } catch (error) {
    throw new StartError(`The frontend cannot be built: vite is not installed (${describeError(error)}).`)
  }
  return new Promise((resolve, reject) => {
    const args = [program, 'build', '--logLevel', 'warn', '--outDir', folder, '--emptyOutDir']
    const child = spawn(process.execPath, args, {
      cwd: paths.web,
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

function findError(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(✗|error during build|build failed)/i.test(line))
  const [position] = /[\w./-]+\.\w+:\d+:\d+/.exec(lines.join('\n')) ?? []
  const [first = 'vite gives no reason'] = lines
  return position === undefined || first.includes(position) ? first : `${first}, at ${position}`
}

/** By content, because a git checkout changes the times of files. */
async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  const addFile = async (path: string) => {
    hash.update(`${relative(paths.root, path)}\0`).update(await readFile(path))
  }
  const addFolder = async (folder: string) => {
    const entries = await readdir(folder, { withFileTypes: true })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (['node_modules', 'dist', 'test'].includes(entry.name)) continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) await addFolder(path)
      else if (!entry.name.includes('.test.')) await addFile(path)
    }
  }
  await addFolder(paths.web)
  await addFolder(paths.contract)
  await addFile(paths.lockfile)
  return hash.digest('hex')
}
