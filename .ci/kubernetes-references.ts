import { workerQueues } from '../packages/domain/src/platform/configuration/index.ts'
import { dataOf, type Labels, specsOf, type Workload } from './kubernetes-objects.ts'
import type { Resource } from './kustomize.ts'

/** Compares what names other objects, their pods and ports, and what pods share. */
export const findReferenceFaults = (
  resources: readonly Resource[],
  workloads: readonly Workload[],
): string[] => [
  ...networkFaults(resources, workloads),
  ...selectorFaults(resources, workloads),
  ...queueFaults(resources, workloads),
  ...claimFaults(resources, workloads),
]

const select = (workloads: readonly Workload[], wanted: Labels = {}) =>
  workloads.filter(({ labels }) => Object.entries(wanted).every(([name, value]) => labels[name] === value))

const portsOf = (workloads: readonly Workload[]) =>
  workloads.flatMap(({ pod }) => pod.containers.flatMap(({ ports }) => ports ?? []))

function* networkFaults(resources: readonly Resource[], workloads: readonly Workload[]): Generator<string> {
  const services = specsOf(resources, 'Service')
  const hasPort = (service = '', isPort: (port: { name?: string; port: number }) => boolean) =>
    services.get(service)?.ports?.some(isPort) === true
  for (const [name, { selector, ports = [] }] of services) {
    const pods = select(workloads, selector)
    if (pods.length !== 1) yield `Service ${name} leads to ${pods.length} kinds of pods`
    for (const { port, targetPort } of ports) {
      const target = portsOf(pods).find((each) => each.name === targetPort)
      if (target?.containerPort !== port)
        yield `Service ${name} has the port ${port}, but the port ${targetPort} of its pods is ${target?.containerPort}`
    }
  }
  const { PUBLIC_URL: url = '', TRACKING_BROWSER: browser = '' } = settingsOf(resources)
  for (const [name, { tls = [], rules = [] }] of specsOf(resources, 'Ingress'))
    for (const { host = '', http } of rules) {
      if (URL.parse(url)?.host !== host) yield `Ingress ${name} serves ${host}, but PUBLIC_URL is ${url}`
      if (!tls.some(({ hosts }) => hosts?.includes(host)))
        yield `Ingress ${name} has no certificate for ${host}`
      for (const { backend } of http?.paths ?? [])
        if (!hasPort(backend.service?.name, (port) => port.name === backend.service?.port?.name))
          yield `Ingress ${name} leads to ${JSON.stringify(backend.service)}, which is missing`
    }
  const server = URL.parse(browser)
  if (server !== null && !hasPort(server.hostname, ({ port }) => port === Number(server.port)))
    yield `TRACKING_BROWSER is ${browser}, which is missing`
  if (server === null && services.has('browser'))
    yield 'TRACKING_BROWSER is not set, so nothing uses the browser'
}

const settingsOf = (resources: readonly Resource[]): Partial<Record<string, string>> =>
  dataOf(resources, 'ConfigMap').get('settings') ?? {}

function* selectorFaults(resources: readonly Resource[], workloads: readonly Workload[]): Generator<string> {
  for (const kind of ['Deployment', 'PodDisruptionBudget'] as const)
    for (const [name, { selector }] of specsOf(resources, kind)) {
      const selected = select(workloads, selector?.matchLabels).map((workload) => workload.name)
      if (selected.join() !== name)
        yield `${kind} ${name} selects the pods of ${selected.join(', ') || 'nothing'}`
    }
  const confined = new Set<Workload>()
  for (const [name, policy] of specsOf(resources, 'NetworkPolicy')) {
    const { podSelector, policyTypes, ingress = [], egress = [] } = policy
    const selected = select(workloads, podSelector?.matchLabels)
    if (selected.length === 0) yield `NetworkPolicy ${name} selects no pods`
    for (const { port } of ingress.flatMap(({ ports = [] }) => ports))
      if (!portsOf(selected).some((each) => each.name === port))
        yield `NetworkPolicy ${name} names the port ${port}, which is missing`
    if (!policyTypes?.includes('Egress')) continue
    for (const workload of selected) confined.add(workload)
    for (const to of egress.flatMap(({ to: peers = [{}] }) => peers))
      if (to.podSelector === undefined || select(workloads, to.podSelector.matchLabels).length !== 1)
        yield `NetworkPolicy ${name} lets its pods reach more than other pods`
  }
  // As its network does in Compose.
  for (const workload of workloads.filter(({ name }) => name === 'browser'))
    if (!confined.has(workload)) yield `Deployment ${workload.name} has a way out`
}

function* queueFaults(resources: readonly Resource[], workloads: readonly Workload[]): Generator<string> {
  const { WORKER_QUEUES: chosen } = settingsOf(resources)
  const taken = workloads
    .flatMap(({ pod }) => pod.containers)
    .filter(({ name }) => name === 'worker')
    .flatMap(({ env = [] }) => {
      const queues = env.find(({ name }) => name === 'WORKER_QUEUES')?.value ?? chosen
      return queues === undefined ? workerQueues : queues.split(',')
    })
  for (const queue of workerQueues) if (!taken.includes(queue)) yield `No worker takes the queue ${queue}`
}

function* claimFaults(resources: readonly Resource[], workloads: readonly Workload[]): Generator<string> {
  for (const [name, { accessModes }] of specsOf(resources, 'PersistentVolumeClaim')) {
    const pods = workloads
      .filter(({ pod }) => pod.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === name))
      .reduce((sum, { replicas }) => sum + replicas, 0)
    if (pods > 1 && !accessModes?.includes('ReadWriteMany'))
      yield `PersistentVolumeClaim ${name} is for one machine, but ${pods} pods mount it`
  }
}
