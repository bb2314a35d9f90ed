import { z } from 'zod'
import { createJob, defineJob } from '../platform/jobs.ts'

/** Prints a report as PDF. Old workers, which do not know it, fail it; the next request enqueues it again. */
export const printReportJob = defineJob({
  queue: 'inspection',
  name: 'printReport',
  payload: z.object({ document: z.string() }),
})

/** Somebody waits for it, so it comes before the audits that wait. */
export const createPrintJob = (document: string, requestId?: string) => ({
  ...createJob(printReportJob, `report-${document}`, { document }, requestId),
  isUrgent: true,
})
