import { batchesRoutes } from '@kustos/contract/batches'
import { deploymentRoutes } from '@kustos/contract/deployment'
import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import { limitisRoutes } from '@kustos/contract/limitis'
import { nodesRoutes } from '@kustos/contract/nodes'
import { type Access, can } from '@kustos/contract/permissions'
import type { FoundKind } from '@kustos/contract/search'
import { type CurrentUser, usersRoutes } from '@kustos/contract/users'
import { viewsRoutes } from '@kustos/contract/views'
import {
  batches,
  deployments,
  emails,
  externalDomains,
  nodes,
  ownDomains,
  users,
  views,
} from '@kustos/database/tables'
import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { visibleBatches } from '../batches/index.ts'
import { visibleViews } from '../views/index.ts'

/** Where rows of a kind are found. */
export interface Source {
  readonly kind: FoundKind
  /** That of the list: users who may not open it find none of its rows. */
  readonly access: Access
  readonly from: SQLWrapper
  readonly id: SQLWrapper
  readonly label: SQLWrapper
  readonly hint: SQLWrapper
  readonly names: readonly SQLWrapper[]
  /** The number that also finds a row, if users know it. */
  readonly number?: SQLWrapper
  /** The order of rows that match equally well. */
  readonly order: SQL
  /** The rows that the list shows the user; all of them by default. */
  readonly visible?: SQL | undefined
}

/** The sources that a user may search. */
export const sourcesFor = (actor: CurrentUser): readonly Source[] =>
  [...tables, batchesOf(actor), viewsOf(actor)].filter(({ access }) => can(actor, access))

/** Names keep an umlaut in two parts if it was pasted like that, while the text that is searched for has it in one. */
const composed = (name: SQLWrapper): SQL => sql`normalize(${name})`

const ofDomains = (
  table: typeof ownDomains | typeof externalDomains,
  list: 'own' | 'external',
  access: Access,
): Source => ({
  kind: 'domain',
  access,
  from: table,
  id: sql`${sql.raw(`'${list}-'`)} || ${table.id}`,
  label: table.fqdn,
  hint: table.customer,
  names: [table.fqdn, table.fqdn_ascii],
  order: sql`${table.fqdn_ascii}`,
})

/** The tables of which the list shows all rows. */
const tables: readonly Source[] = [
  {
    kind: 'node',
    access: nodesRoutes.listNodes.access,
    from: nodes,
    id: nodes.id,
    label: nodes.name,
    hint: nodes.plesk_fqdn,
    names: [composed(nodes.name), nodes.plesk_fqdn],
    order: sql`${nodes.name}`,
  },
  {
    kind: 'user',
    access: usersRoutes.listUsers.access,
    from: users,
    id: users.id,
    label: users.name,
    hint: users.email,
    names: [composed(users.name), users.email],
    // Deleted ones last.
    order: sql`${users.deleted_at} is not null, lower(${users.name})`,
  },
  ofDomains(ownDomains, 'own', limitisRoutes.listOwnDomains.access),
  ofDomains(externalDomains, 'external', externalDomainsRoutes.listExternalDomains.access),
  {
    kind: 'mailbox',
    access: limitisRoutes.listEmails.access,
    from: emails,
    id: emails.id,
    label: emails.address,
    hint: emails.customer,
    names: [composed(emails.address)],
    order: sql`${emails.address}`,
  },
  {
    kind: 'deployment',
    access: deploymentRoutes.listDeployments.access,
    from: deployments,
    id: deployments.id,
    label: deployments.fqdn,
    hint: deployments.kind,
    names: [deployments.fqdn],
    number: deployments.id,
    order: sql`${deployments.id} desc`,
  },
]

const batchesOf = (actor: CurrentUser): Source => ({
  kind: 'batch',
  access: batchesRoutes.listBatches.access,
  from: sql`${batches} join ${users} on ${eq(users.id, batches.requested_by)}`,
  id: batches.id,
  label: batches.action,
  hint: users.email,
  names: [batches.action, users.email],
  number: batches.id,
  order: sql`${batches.id} desc`,
  visible: visibleBatches({ actor }),
})

const viewsOf = (actor: CurrentUser): Source => ({
  kind: 'view',
  access: viewsRoutes.listViews.access,
  from: views,
  id: views.id,
  label: views.name,
  hint: views.list,
  names: [composed(views.name)],
  order: sql`lower(${views.name})`,
  visible: visibleViews(actor),
})
