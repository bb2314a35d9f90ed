// Builds the frontend in memory and prints what the first load of a screen takes: every JavaScript file that the browser
// fetches until it stands.
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

const root = fileURLToPath(new URL('../../apps/web/', import.meta.url))

async function chunks(): Promise<readonly Rolldown.OutputChunk[]> {
  const built = await build({
    root,
    configFile: `${root}vite.config.ts`,
    logLevel: 'warn',
    build: { write: false },
  })
  if (!('output' in built)) throw new Error('The build made something else than one bundle')
  return built.output.filter((file) => file.type === 'chunk')
}

const byFile = new Map((await chunks()).map((chunk) => [chunk.fileName, chunk]))

/** The chunk of a module of ours, by its path under apps/web. */
function chunkOf(module: string): string {
  const found = [...byFile.values()].find(({ facadeModuleId }) => facadeModuleId === `${root}${module}`)
  if (found === undefined) throw new Error(`The build has no chunk for ${module}`)
  return found.fileName
}

/** A chunk and all that it imports statically. */
function closure(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known
  known.add(file)
  for (const imported of byFile.get(file)?.imports ?? []) closure(imported, known)
  return known
}

const gzipped = (files: ReadonlySet<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(byFile.get(file)?.code ?? '').length, 0)

/** What `files` load that `known` has not loaded already. */
const beyond = (files: ReadonlySet<string>, known: ReadonlySet<string>) =>
  new Set([...files].filter((file) => !known.has(file)))

const loadOf = (...modules: string[]) => new Set(modules.flatMap((module) => [...closure(chunkOf(module))]))

const entry = 'index.html'
const login = loadOf(entry, 'src/features/auth/LoginScreen.tsx')
const ofShell = [entry, 'src/app/Console.tsx', 'src/app/messages/en/index.ts']
const shell = loadOf(...ofShell)
const list = loadOf(...ofShell, 'src/features/webs/WebListScreen.tsx')

const print = (what: string, bytes: number, target?: number) =>
  process.stdout.write(
    `${what.padEnd(44)}${(bytes / 1000).toFixed(1).padStart(7)} kB gzip${target ? `   target: at most ${target}` : ''}\n`,
  )
print('login screen, first load', gzipped(login), 150)
print('shell, over the login screen', gzipped(beyond(shell, login)))
print("web list's own part, over the shell", gzipped(beyond(list, shell)), 150)
print('web list, first load', gzipped(list))
