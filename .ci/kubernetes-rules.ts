import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { documentation, variableSchemas } from '../packages/domain/src/platform/configuration/index.ts'
import { root } from './command.ts'
import {
  type Container,
  dataOf,
  type Probe,
  type Volume,
  type Workload,
  workloadsOf,
} from './kubernetes-objects.ts'
import { findReferenceFaults } from './kubernetes-references.ts'
import type { Resource } from './kustomize.ts'

/** What docker-compose.yml and the Dockerfile say of a program. */
export interface Program {
  readonly image: string
  readonly memory: string
  readonly cpus: string
  readonly tmp: string
  readonly graceSeconds: number
  /** Variables that name a file, without the folder. */
  readonly files: Readonly<Record<string, string>>
  readonly isConfined: boolean
  readonly port: number
  readonly check: {
    readonly command: readonly string[]
    readonly periodSeconds: number
    readonly timeoutSeconds: number
    readonly failureThreshold: number
  }
}

/** Each rule yields what is wrong in the rendered objects of an overlay. */
export function findFaults(
  resources: readonly Resource[],
  programs: ReadonlyMap<string, Program>,
  isRoute: (path: string) => boolean,
): string[] {
  const workloads = workloadsOf(resources)
  return [
    ...workloads.flatMap((workload) =>
      [
        ...podFaults(workload, programs, resources),
        ...containersOf(workload).flatMap((container) => [
          ...containerFaults(container, programs),
          ...environmentFaults(workload, container, resources),
        ]),
        ...workload.pod.containers.flatMap((container) => {
          const program = programs.get(container.name)
          return program === undefined ? [] : [...programFaults(workload, container, program, isRoute)]
        }),
      ].map((fault) => `${workload.kind} ${workload.name} ${fault}`),
    ),
    ...findReferenceFaults(resources, workloads),
  ]
}

/** The name of the image without its registry and tag. */
const imageOf = ({ image = '' }: Container) => basename(image).split(':', 1)[0] ?? ''

const containersOf = ({ pod }: Workload) => [...(pod.initContainers ?? []), ...pod.containers]

function* podFaults(
  { pod }: Workload,
  programs: ReadonlyMap<string, Program>,
  resources: readonly Resource[],
) {
  if (pod.automountServiceAccountToken !== false) yield 'has a token of the cluster'
  if (pod.securityContext?.runAsNonRoot !== true) yield 'may run as root'
  const isConfined = pod.containers.every(({ name }) => programs.get(name)?.isConfined !== false)
  if (pod.securityContext?.seccompProfile?.type !== (isConfined ? 'RuntimeDefault' : 'Unconfined'))
    yield 'has another system call filter than Compose'
  for (const volume of pod.volumes ?? []) {
    for (const [kind, name] of referencesOf(volume))
      if (!resources.some((resource) => resource.kind === kind && resource.metadata.name === name))
        yield `has a volume of the ${kind} ${name}, which is missing`
  }
}

function referencesOf({ secret, configMap, persistentVolumeClaim, projected }: Volume): [string, string][] {
  const references: [string, string | undefined][] = [
    ['Secret', secret?.secretName],
    ['ConfigMap', configMap?.name],
    ['PersistentVolumeClaim', persistentVolumeClaim?.claimName],
    ...(projected?.sources ?? []).flatMap((source): [string, string | undefined][] => [
      ['Secret', source.secret?.name],
      ['ConfigMap', source.configMap?.name],
    ]),
  ]
  return references.filter((reference): reference is [string, string] => reference[1] !== undefined)
}

function* containerFaults(container: Container, programs: ReadonlyMap<string, Program>) {
  const { name, command, securityContext, resources } = container
  const image = imageOf(container)
  if (image.startsWith('kustos') && ![...programs.values()].some((program) => program.image === image))
    yield `has the image ${image}, which Compose does not build`
  if (securityContext?.allowPrivilegeEscalation !== false) yield `lets ${name} gain privileges`
  if (securityContext?.readOnlyRootFilesystem !== true) yield `lets ${name} write its file system`
  if (!securityContext?.capabilities?.drop?.includes('ALL')) yield `gives ${name} capabilities`
  for (const limit of ['cpu', 'memory'])
    if (resources?.limits?.[limit] === undefined) yield `does not limit the ${limit} of ${name}`
  const [program] = /apps\/\S+\.ts/.exec(command?.join(' ') ?? '') ?? []
  if (program !== undefined && !existsSync(join(root, program))) yield `runs ${program}, which is missing`
}

/** The image brings them, and ports of containers and health checks rely on them. */
const ofImages = ['HOST', 'PORT', 'METRICS_PORT']

function* environmentFaults({ pod }: Workload, container: Container, resources: readonly Resource[]) {
  const maps = dataOf(resources, 'ConfigMap')
  const settings: Record<string, string> = {}
  for (const { configMapRef } of container.envFrom ?? []) {
    const map = maps.get(configMapRef?.name ?? '')
    if (map === undefined) yield `reads the ConfigMap ${configMapRef?.name}, which is missing`
    Object.assign(settings, map)
  }
  for (const { name, value = '' } of container.env ?? []) settings[name] = value
  // Every program and command refuses to start with one without the other.
  if (settings.AUDIT_RETENTION !== undefined && settings.AUDIT_ARCHIVE_DIR === undefined)
    yield `sets AUDIT_RETENTION without AUDIT_ARCHIVE_DIR in ${container.name}`
  for (const [name, value] of Object.entries(settings)) {
    const schema = variableSchemas[name]
    const secret = variableSchemas[name.replace(/_FILE$/, '')]
    const isFile = schema === undefined && isSecret(secret)
    if (schema === undefined && !isFile) yield `sets ${name}, which no program reads`
    else if (schema !== undefined && isSecret(schema))
      yield `contains ${name}, which is a secret: set ${name}_FILE`
    else if (ofImages.includes(name)) yield `sets ${name}, which the image does`
    else if (schema?.safeParse(value).success === false) yield `gives ${name} the invalid value ${value}`
    const mount = container.volumeMounts?.find(({ mountPath }) => value.startsWith(`${mountPath}/`))
    const volume = pod.volumes?.find((each) => each.name === mount?.name)
    if (isFile && mount === undefined) yield `does not mount ${value} of ${name}`
    const key = value.slice((mount?.mountPath.length ?? 0) + 1)
    const entries = dataOf(resources, 'Secret').get(volume?.secret?.secretName ?? '')
    if (entries !== undefined && entries[key] === undefined)
      yield `reads ${name} from ${value}, but the Secret ${volume?.secret?.secretName} has no ${key}`
  }
}

const isSecret = (schema: (typeof variableSchemas)[string] | undefined) =>
  schema !== undefined && documentation.get(schema)?.isSecret === true

function* programFaults(
  { pod }: Workload,
  container: Container,
  program: Program,
  isRoute: (path: string) => boolean,
): Generator<string> {
  const { resources, ports = [], env = [] } = container
  const differs = (what: string, value: unknown, expected: unknown) =>
    isDeepStrictEqual(value, expected)
      ? []
      : [`has the ${what} ${JSON.stringify(value)}, but Compose has ${JSON.stringify(expected)}`]
  yield* differs('image', imageOf(container), program.image)
  yield* differs('memory limit', resources?.limits?.memory, program.memory)
  yield* differs('CPU limit', resources?.limits?.cpu, program.cpus)
  const tmp = container.volumeMounts?.find(({ mountPath }) => mountPath === '/tmp')?.name
  const { emptyDir } = pod.volumes?.find(({ name }) => name === tmp) ?? {}
  yield* differs('size of /tmp', emptyDir?.sizeLimit, program.tmp)
  yield* differs('grace period', pod.terminationGracePeriodSeconds, program.graceSeconds)
  const portNumbers = ports.map(({ containerPort }) => containerPort)
  yield* differs('ports', portNumbers, [program.port])
  for (const [name, file] of Object.entries(program.files)) {
    const value = env.find((variable) => variable.name === name)?.value
    if (value === undefined || basename(value) !== file)
      yield `does not read ${name} from a file ${file}, as in Compose`
  }
  for (const key of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
    const probe = container[key]
    if (probe !== undefined) yield* probeFaults(key, probe, container, program, isRoute)
    else if (key !== 'readinessProbe') yield `has no ${key}`
  }
  // Compose's check decides whether others start, as readiness does, or a worker's start.
  const { readinessProbe: ready = container.startupProbe } = container
  const path = ready?.httpGet?.path ?? ''
  if (!program.check.command.join(' ').includes(path))
    yield `is ready by ${path}, but healthy in the image by another check`
}

function* probeFaults(
  key: string,
  probe: Probe,
  { ports = [] }: Container,
  { check }: Program,
  isRoute: (path: string) => boolean,
): Generator<string> {
  const { httpGet, tcpSocket, exec } = probe
  const port = httpGet?.port ?? tcpSocket?.port
  if (port !== undefined && !ports.some(({ name }) => name === port))
    yield `has a ${key} of the port ${port}, which is missing`
  const path = httpGet?.path ?? '/'
  if (path !== '/' && !isRoute(path)) yield `has a ${key} of ${path}, which nothing serves`
  if (exec !== undefined && !isDeepStrictEqual(exec.command, check.command))
    yield `has a ${key} with another command than the Dockerfile`
  if (key === 'startupProbe') return
  for (const field of ['periodSeconds', 'timeoutSeconds', 'failureThreshold'] as const)
    if (probe[field] !== check[field])
      yield `has a ${key} with ${field} ${probe[field]}, but the Dockerfile has ${check[field]}`
}
