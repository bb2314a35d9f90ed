import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { documentation, variableSchemas } from '../packages/domain/src/platform/configuration/index.ts'
import { root } from './command.ts'

/** The lines of a stage of the Dockerfile, those of its base stages included. */
export interface Stage {
  readonly lines: readonly string[]
}

interface Service {
  readonly build?: { readonly target: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly healthcheck?: object
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly [key: string]: unknown
}

export interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, unknown>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const read = (file: string) => readFile(join(root, file), 'utf8')

/**
 * Checks that the Dockerfile, .dockerignore, the compose file and .env.example match each other and the sources.
 * @param all the repository's files
 */
export async function containers(all: readonly string[]): Promise<string[]> {
  const exists = (path: string) => all.some((file) => file === path || file.startsWith(`${path}/`))
  const stages = stagesOf(await read('Dockerfile'))
  const compose: Compose = parse(await read('docker-compose.yml'), { merge: true })
  const served = await readFiles(all.filter((file) => /^apps\/(api|worker)\/src\/.*\.ts$/.test(file)))
  return [
    ...(await findIgnoreFaults(exists)),
    ...[...stages].flatMap(([name, stage]) => stageFaults(name, stage, stages, exists, served)),
    ...Object.entries(compose.services).flatMap(([name, service]) =>
      serviceFaults(name, service, compose, stages),
    ),
    ...(await variableFaults(compose)),
  ]
}

/** Checks that .dockerignore allows only existing files, and all that the install reads. */
async function findIgnoreFaults(exists: (path: string) => boolean): Promise<string[]> {
  const lines = (await read('.dockerignore')).split('\n')
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  const workspace = parse(await read('pnpm-workspace.yaml'))
  const patches: readonly string[] = Object.values(workspace.patchedDependencies ?? {})
  const needed = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...patches]
  return [
    ...allowed.filter((path) => !exists(path)).map((path) => `.dockerignore: there is no ${path}`),
    ...needed
      .filter((path) => !allowed.some((folder) => path === folder || path.startsWith(`${folder}/`)))
      .map((path) => `.dockerignore: ${path} is excluded, but the install reads it`),
  ]
}

/** The stages by name. Each line is one instruction, continuation lines joined. */
export function stagesOf(text: string): Map<string, Stage> {
  const stages = new Map<string, Stage>()
  const joined = text.replace(/^\s*#.*\n/gm, '').replace(/\\\n\s*/g, ' ')
  for (const part of joined.split(/^(?=FROM )/m)) {
    const [first = '', ...lines] = part.split('\n')
    const [, base = '', name] = /^FROM (\S+) AS (\S+)$/.exec(first) ?? []
    if (name !== undefined) stages.set(name, { lines: [...(stages.get(base)?.lines ?? []), first, ...lines] })
  }
  return stages
}

function stageFaults(
  name: string,
  { lines }: Stage,
  stages: ReadonlyMap<string, Stage>,
  exists: (path: string) => boolean,
  served: string,
): string[] {
  const text = lines.join('\n')
  const own = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)
  const program = /^CMD \[.*"([^"]+\.ts)"\]$/m.exec(text)?.[1]
  const faults = [
    ...own(/^COPY --from=(\S+)/gm)
      .filter((from) => !stages.has(from))
      .map((from) => `there is no stage ${from}`),
    ...own(/'(\/[\w/]+)'/g)
      .filter((path) => !served.includes(`'${path}'`))
      .map((path) => `nothing serves ${path}`),
  ]
  if (program !== undefined) {
    if (!exists(program)) faults.push(`there is no ${program}`)
    if (!/^HEALTHCHECK /m.test(text)) faults.push('has no health check')
    const user = own(/^USER (\S+)$/gm).at(-1)
    if (user !== 'node') faults.push(`it runs as ${user ?? 'root'}`)
  }
  return faults.map((fault) => `Dockerfile: ${name}: ${fault}`)
}

function serviceFaults(
  name: string,
  service: Service,
  { services, secrets }: Compose,
  stages: ReadonlyMap<string, Stage>,
): string[] {
  const { build, environment = {}, secrets: granted = [] } = service
  const faults = ['restart', 'mem_limit', 'cpus', 'pids_limit', 'logging', 'security_opt']
    .filter((key) => service[key] === undefined)
    .map((key) => `has no ${key}`)
  const files = names(JSON.stringify(service), /\/run\/secrets\/([a-z-]+)/g)
  faults.push(
    ...granted
      .filter((secret) => secrets[secret] === undefined)
      .map((secret) => `there is no secret ${secret}`),
    ...files
      .filter((secret) => !granted.includes(secret))
      .map((secret) => `is not granted the secret ${secret}`),
    ...granted
      .filter((secret) => !files.includes(secret))
      .map((secret) => `does not read the secret ${secret}`),
    ...Object.entries(environment)
      .filter(([name, value]) => isSecret(name) && !value.startsWith('${'))
      .map(([name]) => `contains ${name}, which is a secret`),
    ...Object.entries(service.depends_on ?? {})
      .filter(([other, { condition }]) => services[other] === undefined || condition !== 'service_healthy')
      .map(([other]) => `does not wait until ${other} is healthy`),
  )
  if (build === undefined) {
    if (service.healthcheck === undefined) faults.push('has no health check')
  } else {
    const stage = stages.get(build.target)
    if (!stage?.lines.some((line) => line.startsWith('CMD ')))
      faults.push(`there is no program ${build.target}`)
    if (service.read_only !== true || service.tmpfs === undefined) faults.push('can write its file system')
    if (!String(service.cap_drop).includes('ALL')) faults.push('has capabilities')
  }
  return faults.map((fault) => `docker-compose.yml: ${name}: ${fault}`)
}

function isSecret(name: string): boolean {
  const schema = variableSchemas[name]
  return schema !== undefined && documentation.get(schema)?.isSecret === true
}

/** Checks that the compose file and .env.example name the same variables, and that the programs know them. */
async function variableFaults({ services }: Compose): Promise<string[]> {
  const used = names(await read('docker-compose.yml'), /\$\{([A-Z_]+)/g)
  const explained = names(await read('.env.example'), /^([A-Z_]+)=/gm)
  const known = Object.keys(variableSchemas)
  const granted = Object.values(services)
    .filter(({ build }) => build !== undefined)
    .flatMap(({ environment = {} }) => Object.keys(environment))
    .map((name) => (known.includes(name) ? name : name.replace(/_FILE$/, '')))
  return [
    ...without(used, explained).map((name) => `.env.example: ${name} is not explained`),
    // COMPOSE_PROFILES is Compose's own.
    ...without(explained, [...used, 'COMPOSE_PROFILES']).map((name) => `.env.example: nothing uses ${name}`),
    ...without(granted, known).map((name) => `docker-compose.yml: no program reads ${name}`),
  ]
}

const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
const without = (some: readonly string[], others: readonly string[]) =>
  [...new Set(some)].filter((name) => !others.includes(name))

const readFiles = async (files: readonly string[]) => (await Promise.all(files.map(read))).join('\n')
