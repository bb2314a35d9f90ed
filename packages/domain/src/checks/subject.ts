import type { Transaction } from '@kustos/database/client'
import { checks, customers, tags, webs } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { Scope } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { visibleWebs } from '../platform/visible-webs.ts'

/** Whose check it is. */
export type CheckSubject = { readonly web: number } | { readonly tag: number } | { readonly customer: string }

export interface FoundSubject {
  readonly type: 'web' | 'tag' | 'customer'
  readonly id: number
  /** Of the tag or the customer. */
  readonly name: string | null
}

export const columns = { web: 'web_id', tag: 'tag_id', customer: 'customer_id' } as const

/**
 * Finds a subject, and keeps it from being deleted if this is a transaction that changes its check.
 * @throws DomainError not-found, also for deleted webs unless the user may restore them
 */
export async function findSubject(
  scope: Pick<Scope, 'db' | 'actor'>,
  subject: CheckSubject,
  locks: boolean,
): Promise<FoundSubject> {
  if ('web' in subject) {
    const query = scope.db
      .select({ id: webs.id })
      .from(webs)
      .where(and(eq(webs.id, subject.web), visibleWebs(scope)))
    const [web] = await (locks ? query.for('key share') : query)
    if (!web) throw notFound('web_not_found', { id: subject.web })
    return { type: 'web', id: web.id, name: null }
  }
  if ('tag' in subject) {
    const query = scope.db.select({ id: tags.id, name: tags.name }).from(tags).where(eq(tags.id, subject.tag))
    const [tag] = await (locks ? query.for('key share') : query)
    if (!tag) throw notFound('tag_not_found', { id: subject.tag })
    return { type: 'tag', ...tag }
  }
  const query = scope.db
    .select({ id: customers.id, name: customers.code })
    .from(customers)
    .where(eq(customers.code, subject.customer))
  const [customer] = await (locks ? query.for('key share') : query)
  if (!customer) throw notFound('customer_not_found', { code: subject.customer })
  return { type: 'customer', ...customer }
}

/** The row of a subject, if it has one. */
export async function findRow(db: Transaction, { type, id }: FoundSubject, locks: boolean) {
  const query = db.select().from(checks).where(eq(checks[columns[type]], id))
  const [row] = await (locks ? query.for('update') : query)
  return row ?? null
}
