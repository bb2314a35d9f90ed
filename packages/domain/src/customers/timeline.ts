import type { Timeline } from '@kustos/contract/timeline'
import { customers, externalDomains, webs } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { visibleWebs } from '../platform/visible-webs.ts'
import { readTimelineOf } from '../timelines/index.ts'
import { visibleParts } from './list.ts'

/**
 * What happened to a customer's webs and external domains in the last weeks, newest first, as far as the user may see it.
 * @throws DomainError not-found
 */
export async function readTimeline(context: Context, code: string, weeks?: number): Promise<Timeline> {
  const { db } = context
  const [customer] = await db.select({ id: customers.id }).from(customers).where(eq(customers.code, code))
  if (!customer) throw notFound('customer_not_found', { code })
  const parts = visibleParts(context)
  const [ofWebs, ofDomains] = await Promise.all([
    parts.webs
      ? db
          .select({ id: webs.id })
          .from(webs)
          .where(and(eq(webs.customer, code), visibleWebs(context)))
      : [],
    parts.externalDomains
      ? db.select({ id: externalDomains.id }).from(externalDomains).where(eq(externalDomains.customer, code))
      : [],
  ])
  const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id)
  const subjects = { customer: [customer.id], web: idsOf(ofWebs), external_domain: idsOf(ofDomains) }
  return readTimelineOf(context, subjects, weeks)
}
