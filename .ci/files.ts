import { readFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { validate as validateDockerfile } from 'dockerfile-utils'
import { parseAllDocuments } from 'yaml'
import { command, root } from './command.ts'
import { containers } from './containers.ts'
import { judge, type Outcome } from './gate.ts'
import { sources } from './sources.ts'

/** Checks files that no test uses: YAML, workflows, Dockerfile and compose file. */
export async function files(): Promise<Outcome> {
  const all = await sources()
  const complaints = await Promise.all([
    ...all.filter((file) => /\.ya?ml$/.test(file)).map(yaml),
    ...all.filter((file) => /^\.github\/workflows\//.test(file)).map(workflow),
    ...all.filter((file) => /(^|\/)Dockerfile$/.test(file)).map(dockerfile),
    composeByDocker(),
    containers(all),
  ])
  return judge(complaints.flat())
}

const read = (file: string) => readFile(join(root, file), 'utf8')

/** How a Compose file takes back what another one says. */
const composeTags = (['map', 'seq'] as const).flatMap((collection) =>
  ['!reset', '!override'].map((tag) => ({ tag, collection })),
)

async function yaml(file: string): Promise<string[]> {
  const documents = [...parseAllDocuments(await read(file), { merge: true, customTags: composeTags })]
  return documents
    .flatMap(({ errors, warnings }) => [...errors, ...warnings])
    .map((error) => `${file}: ${error.message}`)
}

/** Checks a workflow with GitHub's own parser and schema. */
async function workflow(name: string): Promise<string[]> {
  const { NoOperationTraceWriter, parseWorkflow } = await loadParser()
  const { context } = parseWorkflow({ name, content: await read(name) }, new NoOperationTraceWriter())
  return context.errors.getErrors().map((error) => `${name}: ${error.message}`)
}

/** Loads a package made for bundlers, which imports its schema without the attribute that Node requires. */
async function loadParser() {
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
  })
  try {
    return await import('@actions/workflow-parser')
  } finally {
    hooks.deregister()
  }
}

async function dockerfile(file: string): Promise<string[]> {
  return validateDockerfile(await read(file)).map(
    ({ range, message }) => `${file}:${range.start.line + 1}: ${message}`,
  )
}

/** Checks the compose file with Docker's plugin if it is installed; no engine is needed. */
async function composeByDocker(): Promise<string[]> {
  if (!(await command('docker', ['compose', 'version'])).ok) return []
  const args = ['compose', '--env-file', '.env.example', 'config', '--quiet']
  const { ok, output } = await command('docker', args)
  return ok ? [] : [`docker-compose.yml: ${output.trim()}`]
}
