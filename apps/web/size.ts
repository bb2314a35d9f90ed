// Prints what the first load of a screen takes: every JavaScript file that the browser fetches until it stands.
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

const dist = new URL('./dist/', import.meta.url)
const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
  await readFile(new URL('manifest.json', dist), 'utf8'),
)

/** A chunk and all that it imports statically, by their keys in the manifest. */
function closure(key: string, known = new Set<string>()): Set<string> {
  if (known.has(key)) return known
  const chunk = manifest[key]
  if (chunk === undefined) throw new Error(`The build has no chunk ${key}; run vite build first`)
  known.add(key)
  for (const imported of chunk.imports ?? []) closure(imported, known)
  return known
}

async function gzipped(keys: ReadonlySet<string>): Promise<number> {
  const files = new Set([...keys].map((key) => manifest[key]?.file).filter((file) => file !== undefined))
  const sizes = [...files].map(async (file) => gzipSync(await readFile(new URL(file, dist))).length)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** What `keys` load that `known` has not loaded already. */
const beyond = (keys: ReadonlySet<string>, known: ReadonlySet<string>) =>
  new Set([...keys].filter((key) => !known.has(key)))

const union = (...keys: string[]) => new Set(keys.flatMap((key) => [...closure(key)]))

const entry = 'index.html'
const login = union(entry, 'src/features/auth/LoginScreen.tsx')
const shell = union(entry, 'src/app/Console.tsx', 'src/app/messages/en/index.ts')
const list = union(...shell, 'src/features/webs/WebListScreen.tsx')

const print = (what: string, bytes: number) =>
  process.stdout.write(`${what.padEnd(44)}${(bytes / 1000).toFixed(1).padStart(7)} kB gzip\n`)
print('login screen, first load', await gzipped(login))
print('shell, over the login screen', await gzipped(beyond(shell, login)))
print("web list's own part, over the shell", await gzipped(beyond(list, shell)))
print('web list, first load', await gzipped(list))
