import { type DeploymentKind, deploymentKinds } from '@kustos/contract/deployment'
import type { InspectionKind } from '@kustos/contract/inspections'
import type { JobName, QueueJob } from '@kustos/contract/queue'
import type { TFunction } from 'i18next'

/** Where the catalogues name a kind of job; deployments and inspections are named as the actions that request them. */
const keys = {
  ...(Object.fromEntries(deploymentKinds.map((kind) => [kind, `actions.${kind}.label`])) as {
    [Kind in DeploymentKind]: `actions.${Kind}.label`
  }),
  refresh: 'actions.refresh.label',
  tracking: 'actions.audit.label',
  connection: 'queue.connection',
  discovery: 'queue.discovery',
  probeShard: 'queue.probeShard',
  sendAlert: 'queue.sendAlert',
  announceIncidents: 'queue.announceIncidents',
  testChannel: 'queue.testChannel',
  printReport: 'queue.printReport',
  // Jobs of releases that did not say what they run.
  runDeployment: 'gridLabels.queue.options.queue.deployment',
  runInspection: 'gridLabels.queue.options.queue.inspection',
} as const satisfies Record<DeploymentKind | InspectionKind | JobName, string>

/** A job's kind and web in the console's language. A kind that this release does not know stays as it is. */
export function jobText(t: TFunction, { displayName }: Pick<QueueJob, 'displayName'>): string {
  const [kind = '', ...web] = displayName.split(' · ')
  return [Object.hasOwn(keys, kind) ? t(keys[kind as keyof typeof keys]) : kind, ...web].join(' · ')
}
