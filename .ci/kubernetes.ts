import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { command, root } from './command.ts'
import { type Compose, stagesOf } from './containers.ts'
import { fail, judge, type Outcome } from './gate.ts'
import { findFaults, type Program } from './kubernetes-rules.ts'
import { findSchemaFaults } from './kubernetes-schemas.ts'
import { type Resource, readResources, render } from './kustomize.ts'
import { sources } from './sources.ts'

const read = (file: string) => readFile(join(root, file), 'utf8')

/**
 * Renders each overlay of the Kubernetes manifests and compares it with Kubernetes' schemas, the Dockerfile, docker-compose.yml and the
 * programs' configuration; and with what kustomize renders, where kubectl is installed.
 */
export async function kubernetes(): Promise<Outcome> {
  const folder = join(root, 'kubernetes')
  const faults = await findManifestFaults(folder)
  if (faults.length > 0) return fail(faults.join('\n'))
  const { ok } = await command('kubectl', ['version', '--client'])
  if (!ok)
    return {
      ...judge([]),
      skipped: 1,
      output: 'kubectl is not installed, so nothing was compared with kustomize',
    }
  return judge(await compareWithKustomize(folder))
}

/** @param folder with the folders base and overlays */
export async function findManifestFaults(folder: string): Promise<string[]> {
  const programs = await readPrograms()
  const served = await readSources(/^apps\/(api|worker)\/src\/.*\.ts$/)
  const pooler = settingsOf(/```ini\n([^`]*)```/.exec(await read('docs/operations.md'))?.[1])
  const lists = (await overlaysOf(folder)).map(async (overlay) => {
    const resources = await render(join(folder, 'overlays', overlay))
    const schemaFaults = await Promise.all(
      resources.map(async (resource) =>
        (await findSchemaFaults(resource)).map((fault) => `${nameOf(resource)}: ${fault}`),
      ),
    )
    // The rules read objects of valid types.
    const faults = schemaFaults.flat()
    if (faults.length === 0)
      faults.push(
        ...findFaults(resources, programs, (path) => served.includes(`'${path}'`)),
        ...resources.flatMap((resource) => poolerFaults(resource, pooler)),
      )
    return faults.map((fault) => `kubernetes/overlays/${overlay}: ${fault}`)
  })
  return (await Promise.all(lists)).flat()
}

const overlaysOf = (folder: string) => readdir(join(folder, 'overlays'))
const nameOf = ({ kind, metadata }: Resource) => `${kind} ${metadata.name}`

const readSources = async (pattern: RegExp) =>
  (await Promise.all((await sources()).filter((file) => pattern.test(file)).map(read))).join('\n')

/** What Compose and the Dockerfile say of the programs that are built. */
async function readPrograms(): Promise<ReadonlyMap<string, Program>> {
  const compose: Compose = parse(await read('docker-compose.yml'), { merge: true })
  const stages = stagesOf(await read('Dockerfile'))
  const built = Object.entries(compose.services).filter(
    ([, service]) => service.healthcheck === undefined && service.build !== undefined,
  )
  return new Map(
    built.map(([name, service]) => {
      const lines = stages.get(service.build?.target ?? '')?.lines.join('\n') ?? ''
      const option = (key: string) =>
        Number(new RegExp(`^HEALTHCHECK .*--${key}=(\\d+)`, 'm').exec(lines)?.[1])
      const { environment = {}, mem_limit: memory, security_opt: security } = service
      const files = Object.entries(environment)
        .map(([variable, value]) => [variable, /^\/run\/secrets\/(.*)$/.exec(value)?.[1]])
        .filter(([, file]) => file !== undefined)
      const program: Program = {
        image: String(service.image),
        memory: toQuantity(String(memory)),
        cpus: /:-(\d+)\}/.exec(String(service.cpus))?.[1] ?? '',
        tmp: toQuantity(/size=(\w+)/.exec(String(service.tmpfs))?.[1] ?? ''),
        graceSeconds: Number.parseInt(String(service.stop_grace_period), 10),
        files: Object.fromEntries(files),
        isConfined: !String(security).includes('seccomp:unconfined'),
        port: Number(/^(?:EXPOSE |ENV .*METRICS_PORT=)(\d+)$/m.exec(lines)?.[1]),
        check: {
          command: JSON.parse(/^HEALTHCHECK .* CMD (\[.*\])$/m.exec(lines)?.[1] ?? '[]'),
          periodSeconds: option('interval'),
          timeoutSeconds: option('timeout'),
          failureThreshold: option('retries'),
        },
      }
      return [name, program]
    }),
  )
}

/** Such as 64m, which means mebibytes to Docker and thousandths to Kubernetes. */
const toQuantity = (size: string) => `${size.slice(0, -1)}${size.at(-1)?.toUpperCase()}i`

/** The lines of an ini file, without comments and hosts. */
const settingsOf = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^[a-z_]+ = (?!host=)/.test(line))

function poolerFaults({ metadata, data }: Resource, documented: readonly string[]): string[] {
  const { 'pgbouncer.ini': text } = (data ?? {}) as Readonly<Record<string, string>>
  if (text === undefined || isDeepStrictEqual(settingsOf(text), documented)) return []
  return [`ConfigMap ${metadata.name} has other settings than docs/operations.md`]
}

/** Lets kustomize render the overlays, with secrets of its own. */
async function compareWithKustomize(folder: string): Promise<string[]> {
  const temporary = await mkdtemp(join(tmpdir(), 'kustos-kubernetes-'))
  try {
    await cp(folder, temporary, { recursive: true, filter: (path) => !path.endsWith('/secrets') })
    const complaints = (await overlaysOf(folder)).map(async (overlay) => {
      const place = join(temporary, 'overlays', overlay)
      const text = await readFile(join(place, 'kustomization.yaml'), 'utf8')
      for (const [path] of text.matchAll(/\bsecrets\/[\w.-]+/g)) {
        await mkdir(dirname(join(place, path)), { recursive: true })
        await writeFile(join(place, path), '')
      }
      const { ok, output } = await command('kubectl', ['kustomize', place])
      if (!ok) return [`${overlay}: ${output.trim()}`]
      // The names of generated objects end with a hash.
      const theirs = readResources(output.replace(/-[2456789bcdfghkmt]{10}\b/g, ''))
      const ours = await render(place)
      return [...theirs, ...ours]
        .filter((resource) => !isDeepStrictEqual(find(theirs, resource), find(ours, resource)))
        .map((resource) => `${overlay}: kustomize renders ${nameOf(resource)} otherwise`)
    })
    return (await Promise.all(complaints)).flat()
  } finally {
    await rm(temporary, { recursive: true })
  }
}

const find = (resources: readonly Resource[], wanted: Resource) =>
  resources.find((resource) => nameOf(resource) === nameOf(wanted))
