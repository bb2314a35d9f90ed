import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import { limitisRoutes } from '@kustos/contract/limitis'
import { can } from '@kustos/contract/permissions'
import { websRoutes } from '@kustos/contract/webs'
import { customers, externalDomains, ownDomains, watchedDomains, webs } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { visibleWebs } from '../platform/visible-webs.ts'

/** The ids of a customer, its webs and its domains, as far as the acting user may see them, by type of subject. */
export async function readCustomerSubjects(context: Pick<Context, 'db' | 'actor'>, code: string) {
  const { db, actor } = context
  const [customer, web, external_domain, domain] = await Promise.all([
    db.select({ id: customers.id }).from(customers).where(eq(customers.code, code)),
    can(actor, websRoutes.listWebs.access)
      ? db
          .select({ id: webs.id })
          .from(webs)
          .where(and(eq(webs.customer, code), visibleWebs(context)))
      : [],
    can(actor, externalDomainsRoutes.listExternalDomains.access)
      ? db.select({ id: externalDomains.id }).from(externalDomains).where(eq(externalDomains.customer, code))
      : [],
    can(actor, limitisRoutes.listOwnDomains.access)
      ? db
          .select({ id: watchedDomains.id })
          .from(watchedDomains)
          .innerJoin(ownDomains, eq(ownDomains.fqdn_ascii, watchedDomains.name))
          .where(eq(ownDomains.customer, code))
      : [],
  ])
  const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id)
  return {
    customer: idsOf(customer),
    web: idsOf(web),
    external_domain: idsOf(external_domain),
    domain: idsOf(domain),
  }
}
