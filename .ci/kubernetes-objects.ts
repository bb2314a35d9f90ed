import type { Resource } from './kustomize.ts'

// The parts of objects that are compared, once their schemas have been checked.

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string }
  readonly tcpSocket?: { readonly port: string }
  readonly exec?: { readonly command: readonly string[] }
  readonly periodSeconds?: number
  readonly timeoutSeconds?: number
  readonly failureThreshold?: number
}

export interface Container {
  readonly name: string
  readonly image: string
  readonly command?: readonly string[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string } }[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly startupProbe?: Probe
  readonly readinessProbe?: Probe
  readonly livenessProbe?: Probe
  readonly resources?: { readonly limits?: Readonly<Record<string, string>> }
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean
    readonly readOnlyRootFilesystem?: boolean
    readonly capabilities?: { readonly drop?: readonly string[] }
  }
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
}

interface Source {
  readonly secret?: { readonly secretName?: string; readonly name?: string }
  readonly configMap?: { readonly name: string }
}

export interface Volume extends Source {
  readonly name: string
  readonly emptyDir?: { readonly sizeLimit?: string }
  readonly persistentVolumeClaim?: { readonly claimName: string }
  readonly projected?: { readonly sources: readonly Source[] }
}

interface PodSpec {
  readonly automountServiceAccountToken?: boolean
  readonly terminationGracePeriodSeconds?: number
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean
    readonly seccompProfile?: { readonly type: string }
  }
  readonly initContainers?: readonly Container[]
  readonly containers: readonly Container[]
  readonly volumes?: readonly Volume[]
}

interface Template {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> }
  readonly spec: PodSpec
}

/** A Deployment or a CronJob. */
export interface Workload {
  readonly kind: string
  readonly name: string
  readonly replicas: number
  readonly labels: Readonly<Record<string, string>>
  readonly pod: PodSpec
}

export interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>
}

export interface Service {
  readonly selector: Readonly<Record<string, string>>
  readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[]
}

export interface Ingress {
  readonly tls: readonly { readonly hosts: readonly string[] }[]
  readonly rules: readonly {
    readonly host: string
    readonly http: {
      readonly paths: readonly {
        readonly backend: {
          readonly service: { readonly name: string; readonly port: { readonly name: string } }
        }
      }[]
    }
  }[]
}

export interface NetworkPolicy {
  readonly podSelector: Selector
  readonly policyTypes: readonly string[]
  readonly ingress?: readonly { readonly ports?: readonly { readonly port: string }[] }[]
  readonly egress?: readonly { readonly to?: readonly { readonly podSelector?: Selector }[] }[]
}

/** The specifications of all objects of a kind by name. */
export function specsOf<Spec>(resources: readonly Resource[], kind: string): Map<string, Spec> {
  return new Map(
    resources
      .filter((resource) => resource.kind === kind)
      .map(({ metadata, spec }) => [metadata.name, spec as unknown as Spec]),
  )
}

/** The entries of all ConfigMaps or Secrets by name. */
export function dataOf(resources: readonly Resource[], kind: 'ConfigMap' | 'Secret') {
  return new Map(
    resources
      .filter((resource) => resource.kind === kind)
      .map(({ metadata, data }) => [metadata.name, data as unknown as Readonly<Record<string, string>>]),
  )
}

export function workloadsOf(resources: readonly Resource[]): Workload[] {
  const deployments = specsOf<{ replicas: number; template: Template }>(resources, 'Deployment')
  const jobs = specsOf<{ jobTemplate: { spec: { template: Template } } }>(resources, 'CronJob')
  const workload = (
    kind: string,
    name: string,
    replicas: number,
    { metadata, spec }: Template,
  ): Workload => ({
    kind,
    name,
    replicas,
    labels: metadata?.labels ?? {},
    pod: spec,
  })
  return [
    ...[...deployments].map(([name, { replicas, template }]) =>
      workload('Deployment', name, replicas, template),
    ),
    ...[...jobs].map(([name, { jobTemplate }]) => workload('CronJob', name, 1, jobTemplate.spec.template)),
  ]
}
