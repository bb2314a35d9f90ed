import type { Timeline } from '@kustos/contract/timeline'
import { readCustomerSubjects } from '../logs/index.ts'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { readTimelineOf } from '../timelines/index.ts'

/**
 * What happened to a customer's webs and external domains in the last weeks, newest first, as far as the user may see it.
 * @throws DomainError not-found
 */
export async function readTimeline(context: Context, code: string, weeks?: number): Promise<Timeline> {
  const subjects = await readCustomerSubjects(context, code)
  if (subjects.customer.length === 0) throw notFound('customer_not_found', { code })
  return readTimelineOf(context, subjects, weeks)
}
