import { z } from 'zod'
import type { Column, GridColumns, Option } from './grid/columns.ts'
import { route } from './route.ts'
import { id, time } from './text.ts'

/** The queues that work is handed over by. */
export const queues = ['deployment', 'monitoring', 'inspection', 'notification'] as const
export type QueueName = (typeof queues)[number]

export const jobStates = ['waiting', 'delayed', 'active', 'failed', 'completed'] as const
export type JobState = (typeof jobStates)[number]

export const queueJob = z
  .object({
    id: z.string(),
    queue: z.enum(queues),
    displayName: z.string(),
    attempts: z.int(),
    created_at: time,
    state: z.enum(jobStates),
    failed_reason: z.string().nullable(),
    web_id: id.nullable(),
    /** The deployment that it executes, whose page shows more [+]. */
    deployment_id: id.nullable(),
  })
  .meta({ id: 'QueueJob' })
export type QueueJob = z.output<typeof queueJob>

const states: readonly Option[] = [
  { value: 'waiting', label: 'waiting', tone: 'grey' },
  { value: 'delayed', label: 'delayed', tone: 'grey' },
  { value: 'active', label: 'active', tone: 'orange' },
  { value: 'failed', label: 'failed', tone: 'red' },
  { value: 'completed', label: 'completed', tone: 'green' },
]

const columns: readonly Column<QueueJob>[] = [
  { key: 'id', label: 'Id', kind: 'text', mono: true, width: 150, value: (job) => job.id },
  {
    key: 'queue',
    label: 'Queue',
    kind: 'select',
    width: 130,
    options: queues.map((name) => ({ value: name, label: name })),
    value: (job) => job.queue,
  },
  { key: 'job_name', label: 'Job Name', kind: 'text', width: 300, value: (job) => job.displayName },
  { key: 'state', label: 'State', kind: 'status', width: 140, options: states, value: (job) => job.state },
  { key: 'attempts', label: 'Attempts', kind: 'number', width: 100, value: (job) => job.attempts },
  { key: 'created_at', label: 'Timestamp', kind: 'date', width: 170, value: (job) => job.created_at },
  {
    key: 'failed_reason',
    label: 'Failed because',
    kind: 'text',
    width: 360,
    value: (job) => job.failed_reason,
  },
]

export const queueColumns: GridColumns<QueueJob> = {
  columns,
  sets: [],
  german: {
    columns: {
      id: 'Id',
      queue: 'Warteschlange',
      job_name: 'Job',
      state: 'Zustand',
      attempts: 'Versuche',
      created_at: 'Zeitpunkt',
      failed_reason: 'Grund des Fehlschlags',
    },
    options: {
      state: {
        waiting: 'wartet',
        delayed: 'verzögert',
        active: 'läuft',
        failed: 'fehlgeschlagen',
        completed: 'fertig',
      },
    },
    sets: {},
  },
}

export const queueRoutes = {
  listJobs: route({
    method: 'GET',
    path: '/api/queue',
    summary: 'Jobs of all queues: waiting, delayed, active, failed, and the last 1,000 completed',
    access: { any: ['view queue'] },
    status: 200,
    answer: z.array(queueJob),
  }),
} as const
