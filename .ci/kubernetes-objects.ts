import type { IDeploymentSpec } from 'kubernetes-models/apps/v1/DeploymentSpec'
import type { ICronJobSpec } from 'kubernetes-models/batch/v1/CronJobSpec'
import type { IIngressSpec } from 'kubernetes-models/networking.k8s.io/v1/IngressSpec'
import type { INetworkPolicySpec } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicySpec'
import type { IPodDisruptionBudgetSpec } from 'kubernetes-models/policy/v1/PodDisruptionBudgetSpec'
import type { IPersistentVolumeClaimSpec } from 'kubernetes-models/v1/PersistentVolumeClaimSpec'
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec'
import type { IServiceSpec } from 'kubernetes-models/v1/ServiceSpec'
import type { Resource } from './kustomize.ts'

export type Container = IPodSpec['containers'][number]
export type Probe = NonNullable<Container['livenessProbe']>
export type Volume = NonNullable<IPodSpec['volumes']>[number]
export type Labels = Readonly<Record<string, string>>

/** What has pods: a Deployment or a CronJob. */
export interface Workload {
  readonly kind: string
  readonly name: string
  readonly replicas: number
  readonly labels: Labels
  readonly pod: IPodSpec
}

interface Specs {
  readonly CronJob: ICronJobSpec
  readonly Deployment: IDeploymentSpec
  readonly Ingress: IIngressSpec
  readonly NetworkPolicy: INetworkPolicySpec
  readonly PersistentVolumeClaim: IPersistentVolumeClaimSpec
  readonly PodDisruptionBudget: IPodDisruptionBudgetSpec
  readonly Service: IServiceSpec
}

/** The specifications of all objects of a kind by name. Their schemas have been checked. */
export const specsOf = <Kind extends keyof Specs>(resources: readonly Resource[], kind: Kind) =>
  new Map(
    resources
      .filter((resource) => resource.kind === kind)
      .map(({ metadata, spec }) => [metadata.name, spec as unknown as Specs[Kind]]),
  )

/** The entries of all ConfigMaps or Secrets by name. */
export const dataOf = (resources: readonly Resource[], kind: 'ConfigMap' | 'Secret') =>
  new Map(
    resources
      .filter((resource) => resource.kind === kind)
      .map(({ metadata, data }) => [metadata.name, data as unknown as Labels]),
  )

export function workloadsOf(resources: readonly Resource[]): Workload[] {
  const templates = [
    ...[...specsOf(resources, 'Deployment')].map(([name, { replicas = 1, template }]) => ({
      kind: 'Deployment',
      name,
      replicas,
      template,
    })),
    ...[...specsOf(resources, 'CronJob')].map(([name, { jobTemplate }]) => ({
      kind: 'CronJob',
      name,
      replicas: 1,
      template: jobTemplate.spec?.template,
    })),
  ]
  return templates.map(({ kind, name, replicas, template }) => ({
    kind,
    name,
    replicas: replicas ?? 1,
    labels: template?.metadata?.labels ?? {},
    pod: template?.spec ?? { containers: [] },
  }))
}
