import type { Queues } from '@kustos/clients/queue'
import { type InspectionKind, inspectionKinds } from '@kustos/contract/inspections'
import { id } from '@kustos/contract/text'
import { z } from 'zod'
import { defineJob, jobOf } from '../jobs.ts'

/** Carries an inspection out. What it says beside its id is for the queue's list. */
export const runInspection = defineJob({
  queue: 'inspection',
  name: 'runInspection',
  payload: z.object({ inspection: id, inspects: z.enum(inspectionKinds), fqdn: z.string(), web_id: id }),
})

type RunInspection = z.output<typeof runInspection.payload>

/** What asking for inspections takes beside the database. */
export interface InspectionTools {
  readonly queues: Pick<Queues, 'addAll' | 'add' | 'holds'>
  /** Told of a job that could not be handed over; the sweeper does it later. */
  readonly onError: (error: Error) => void
}

/** An inspection that has just been committed, or that has lost its job. */
export interface Asked {
  readonly id: number
  readonly kind: InspectionKind
  readonly fqdn: string
  readonly web_id: number
}

export const jobIdOf = (inspection: number) => `inspection-${inspection}`

export const inspectionJob = ({ id: inspection, kind, fqdn, web_id }: Asked, requestId?: string) => {
  const payload: RunInspection = { inspection, inspects: kind, fqdn, web_id }
  return jobOf(runInspection, jobIdOf(inspection), payload, requestId)
}

/** Hands their jobs over. Where that cannot be done now, the sweeper does it: the rows are what counts. */
export async function handOver(
  { queues, onError }: InspectionTools,
  asked: readonly Asked[],
  requestId?: string,
): Promise<void> {
  if (asked.length === 0) return
  const jobs = asked.map((inspection) => inspectionJob(inspection, requestId))
  await queues.addAll(runInspection.queue, jobs).catch(onError)
}
