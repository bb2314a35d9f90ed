import type { NewJob, Queues } from '@kustos/clients/queue'
import { type InspectionKind, inspectionKinds } from '@kustos/contract/inspections'
import { id } from '@kustos/contract/text'
import { inspections } from '@kustos/database/tables'
import { inArray } from 'drizzle-orm'
import { z } from 'zod'
import { createJob, defineJob } from '../platform/jobs.ts'

/** Executes an inspection. Everything but its id is shown in the list of jobs. */
export const runInspection = defineJob({
  queue: 'inspection',
  name: 'runInspection',
  payload: z.object({
    inspection: id,
    inspects: z.enum(inspectionKinds),
    /** Or the name of the node. */
    fqdn: z.string(),
    web_id: id.nullable(),
  }),
})

export interface InspectionTools {
  readonly queues: Pick<Queues, 'addAll' | 'add' | 'hasPendingJob' | 'promote'>
  /** Called for a job that could not be enqueued; the sweeper does it later. */
  readonly onError: (error: Error) => void
}

/** The part of the tools that requests need. */
export interface EnqueueTools extends Pick<InspectionTools, 'onError'> {
  readonly queues: Pick<Queues, 'addAll'>
}

/** A committed inspection without a job. */
export interface RequestedInspection {
  readonly id: number
  readonly kind: InspectionKind
  /** Or the name of the node. */
  readonly fqdn: string
  /** Null if a node is inspected. */
  readonly web_id: number | null
}

/** Whether an inspection is waiting or running. */
export const isUnderWay = inArray(inspections.state, ['waiting', 'running'])

export const inspectionJobId = (inspection: number) => `inspection-${inspection}`

export const inspectionJob = ({ id, kind, ...web }: RequestedInspection, requestId?: string) =>
  createJob(runInspection, inspectionJobId(id), { inspection: id, inspects: kind, ...web }, requestId)

/** Enqueues the jobs of inspections. If that fails, the sweeper does it later. */
export async function enqueueInspections(
  { queues, onError }: EnqueueTools,
  requested: readonly RequestedInspection[],
  requestId?: string,
  urgency: Pick<NewJob, 'isUrgent'> = {},
): Promise<void> {
  if (requested.length === 0) return
  const jobs = requested.map((inspection) => ({ ...inspectionJob(inspection, requestId), ...urgency }))
  await queues.addAll(runInspection.queue, jobs).catch(onError)
}
