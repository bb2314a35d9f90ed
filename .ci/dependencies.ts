import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './command.ts'
import { judge, type Outcome } from './gate.ts'
import { sources } from './sources.ts'

const page = 'docs/dependencies.md'

/** Checks that docs/dependencies.md has a line for every direct dependency and no other. */
export async function dependencies(): Promise<Outcome> {
  const declared = new Set<string>()
  const complaints: string[] = []
  for (const file of await sources()) {
    if (!/(^|\/)package\.json$/.test(file)) continue
    for (const [name, version] of Object.entries(await declaredIn(file))) {
      if (version.startsWith('workspace:')) continue
      declared.add(name)
      if (!/^\d+\.\d+\.\d+/.test(version)) complaints.push(`${file}: ${name} is not pinned (${version})`)
    }
  }
  const text = await readFile(join(root, page), 'utf8')
  const named = new Set([...text.matchAll(/^\|\s*`([^`]+)`\s*\|\s*\S/gm)].map(([, name = '']) => name))
  return judge([
    ...complaints,
    ...[...declared]
      .filter((name) => !named.has(name))
      .map((name) => `${page} does not say why ${name} is there`),
    ...[...named]
      .filter((name) => !declared.has(name))
      .map((name) => `${page} names ${name}, which nothing declares`),
  ])
}

async function declaredIn(file: string): Promise<Record<string, string>> {
  const manifest: unknown = JSON.parse(await readFile(join(root, file), 'utf8'))
  if (typeof manifest !== 'object' || manifest === null) return {}
  const fields = new Map(Object.entries(manifest))
  return Object.assign(
    {},
    ...['dependencies', 'devDependencies', 'optionalDependencies'].map((key) => fields.get(key)),
  )
}
