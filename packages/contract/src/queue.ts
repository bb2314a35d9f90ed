import { z } from 'zod'
import { requester } from './deployment/deployment.ts'
import { deploymentKinds, deploymentStates } from './deployment/states.ts'
import { defineGrid, tonedOptions } from './grid/columns.ts'
import { route } from './route.ts'
import { id, timestamp } from './text.ts'

export const queues = ['deployment', 'monitoring', 'inspection', 'notification'] as const
export type QueueName = (typeof queues)[number]

export const jobNames = [
  'runDeployment',
  'probeShard',
  'runInspection',
  'sendAlert',
  'announceIncidents',
  'testChannel',
  'printReport',
] as const
export type JobName = (typeof jobNames)[number]

/** Those of deployments, and of jobs that wait for a later time. */
export const jobStates = [...deploymentStates, 'delayed'] as const
export type JobState = (typeof jobStates)[number]

export const queueJob = z
  .object({
    id: z.string(),
    queue: z.enum(queues),
    /** The kind of job, deployment or inspection, and the FQDN of its web. */
    displayName: z.string(),
    attempts: z.int(),
    created_at: timestamp,
    state: z.enum(jobStates),
    failed_reason: z.string().nullable(),
    web_id: id.nullable(),
    /** The deployment that it runs [+]. */
    deployment_id: id.nullable(),
    /** Of the deployment [+]. */
    kind: z.enum(deploymentKinds).nullable(),
    /** Who asked for the deployment [+]. */
    requested_by: requester.nullable(),
    /** Of the last attempt of the deployment [+]. */
    started_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'QueueJob' })
export type QueueJob = z.output<typeof queueJob>

const jobStateOptions = tonedOptions({
  waiting: 'grey',
  delayed: 'grey',
  running: 'orange',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'grey',
})

/** Milliseconds between the start and the end of a deployment. */
const durationOf = ({ started_at: start, ended_at: end }: QueueJob): number | null =>
  start === null || end === null ? null : Date.parse(end) - Date.parse(start)

export const queueColumns = defineGrid<QueueJob>({
  name: 'queue',
  primaryColumns: ['job_name', 'state', 'created_at'],
  columns: [
    { key: 'id', kind: 'text', isMonospaced: true, width: 140, minWidth: 132 },
    { key: 'queue', kind: 'select', width: 120, minWidth: 112, options: queues.map((value) => ({ value })) },
    { key: 'job_name', kind: 'text', width: 280, minWidth: 162, value: (job) => job.displayName },
    { key: 'state', kind: 'status', width: 145, options: jobStateOptions },
    {
      key: 'requested_by',
      kind: 'text',
      width: 190,
      minWidth: 128,
      value: (job) => job.requested_by?.email ?? null,
    },
    { key: 'created_at', kind: 'date', width: 165 },
    { key: 'duration', kind: 'number', width: 105, minWidth: 100, value: durationOf },
    { key: 'attempts', kind: 'number', width: 100, minWidth: 98 },
    { key: 'failed_reason', kind: 'text', width: 360, minWidth: 110 },
  ],
})

/** Of deployments alone, which are all in one queue: its column would only cut their names. */
export const deploymentColumns: typeof queueColumns = {
  ...queueColumns,
  columns: queueColumns.columns
    .filter(({ key }) => key !== 'queue')
    .map((column) => (column.key === 'job_name' ? { ...column, width: 340, minWidth: 274 } : column)),
}

/** The server lists no more than these of a queue's jobs in each state. */
export const maxListedJobs = 5_000

export const queueRoutes = {
  listJobs: route('GET', '/api/queue', {
    summary:
      'Jobs of all queues: waiting, delayed, running and failed ones, and the last 1,000 that succeeded',
    access: { any: ['view queue'] },
    response: z.array(queueJob),
  }),
} as const
