import { checkEdits } from '@kustos/contract/checks'
import { customerChange } from '@kustos/contract/customers'
import { domainAlerts } from '@kustos/contract/domains'
import { externalDomainChange } from '@kustos/contract/external-domains'
import { nodeChange } from '@kustos/contract/nodes'
import { tagChange } from '@kustos/contract/tags'
import { newClassification, policyChange } from '@kustos/contract/third-parties'
import { roleChange, userChange } from '@kustos/contract/users'
import {
  customers,
  externalDomains,
  nodes,
  tags,
  thirdPartyClassifications,
  watchedDomains,
} from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { type CheckSubject, revertCheck } from '../checks/index.ts'
import { editCustomer } from '../customers/index.ts'
import { editDomainAlertsInTransaction, findWatchedDomain } from '../domains/index.ts'
import { editExternalDomain } from '../external-domains/index.ts'
import { editNode } from '../nodes/index.ts'
import { withAudit } from '../platform/audit.ts'
import { type Context, requireActor } from '../platform/context.ts'
import { conflict, notFound } from '../platform/errors.ts'
import {
  type LoggedChange,
  parseLogged,
  rejectOutdatedRevert,
  rejectSupersededRevert,
} from '../platform/logged-change.ts'
import { rejectRevertToMergedCode } from '../platform/merged-codes.ts'
import { editTag } from '../tags/index.ts'
import { classifyInTransaction, editPolicyInTransaction, lockPolicy } from '../third-parties/index.ts'
import {
  deleteUser,
  editRole,
  editUser,
  listRoles,
  loggedUser,
  readUser,
  restoreUser,
} from '../users/index.ts'
import { rejectTakenFqdn, revertWeb } from '../webs/index.ts'
import { finderOf } from './find-by-name.ts'
import { revertLinkedDeployment, revertPostMortem } from './incidents.ts'
import { revertWindow } from './maintenance.ts'
import { revertAlertChannel, revertAlertRoute, revertRota, revertRouteOrder } from './on-call.ts'
import { revertContractOf } from './tracking-contracts.ts'
import { revertPreference, revertView } from './views.ts'

type Revert = (context: Context, id: number, made: LoggedChange) => Promise<void>

/**
 * How a change is taken back, by the type of its subject. They are changed by their usual verbs, with the version that was read, so
 * that these reject the revert if somebody else changes them meanwhile, or in the transaction that compares them.
 */
const byType: Readonly<Record<string, Revert>> = {
  web: (context, id, made) => rejectTakenFqdn(() => withAudit(context, (tx) => revertWeb(tx, id, made))),
  external_domain: revertExternalDomain,
  role: revertRole,
  user: revertUser,
  node: revertNode,
  customer: revertCustomer,
  domain: revertDomainAlerts,
  tag: revertTag,
  third_party: revertClassification,
  tracking_policy: revertTrackingPolicy,
  alert_channel: revertAlertChannel,
  alert_route: revertAlertRoute,
  alert_route_order: revertRouteOrder,
  rota: revertRota,
  maintenance_window: revertWindow,
  view: revertView,
}

/** The same by the description, for changes that are no edits of the subject itself. */
const byDescription: Readonly<Record<string, Revert>> = {
  'preference changed': revertPreference,
  'post-mortem written': revertPostMortem,
  'deployment linked': revertLinkedDeployment,
  'deployment unlinked': revertLinkedDeployment,
}

/** How an entry's change is taken back; undefined if it cannot. */
export function findRevert(type: string | null, description: string): Revert | undefined {
  if (description === 'check changed') return revertCheckOf(type)
  if (description === 'contract changed')
    return type === 'web' || type === 'customer' ? revertContractOf(type) : undefined
  return byDescription[description] ?? byType[type ?? '']
}

const revertCheckOf =
  (type: string | null): Revert =>
  async (context, id, made) => {
    const edits = parseLogged(checkEdits, made.old)
    const subject = await findCheckSubject(context, type, id)
    await withAudit(context, (tx) => revertCheck(tx, subject, edits, made))
  }

async function findCheckSubject({ db }: Context, type: string | null, id: number): Promise<CheckSubject> {
  if (type === 'web') return { web: id }
  if (type === 'tag') return { tag: id }
  const [customer] = await db.select({ code: customers.code }).from(customers).where(eq(customers.id, id))
  if (!customer) throw notFound('log_subject_not_found')
  return { customer: customer.code }
}

async function revertExternalDomain(context: Context, id: number, made: LoggedChange): Promise<void> {
  const [row] = await context.db.select().from(externalDomains).where(eq(externalDomains.id, id))
  if (!row) throw notFound('external_domain_not_found', { id })
  await rejectOutdatedRevert(context, { type: 'external_domain', id }, row, made)
  const { fqdn, customer, domainprovider } = row
  const updated_at = row.updated_at.toISOString()
  const now = { fqdn, customer, domainprovider, updated_at }
  const input = parseLogged(externalDomainChange, { ...now, ...made.old })
  await rejectRevertToMergedCode(context, input.customer)
  await editExternalDomain(context, id, input)
}

async function revertRole(context: Context, id: number, made: LoggedChange): Promise<void> {
  const role = (await listRoles(context)).find((one) => one.id === id)
  if (!role) throw notFound('role_not_found', { id })
  await rejectOutdatedRevert(context, { type: 'role', id }, { ...role }, made)
  const { name, permissions, updated_at } = role
  await editRole(context, id, parseLogged(roleChange, { name, permissions, updated_at, ...made.old }))
}

async function revertUser(context: Context, id: number, made: LoggedChange): Promise<void> {
  if (made.description === 'deleted' || made.description === 'restored') {
    const takeBack = made.description === 'deleted' ? restoreUser : deleteUser
    return takeBack(context, id, (tx) => rejectSupersededRevert(tx, { type: 'user', id }, made.id))
  }
  const user = await readUser(context, id)
  const now = loggedUser(user)
  await rejectOutdatedRevert(context, { type: 'user', id }, now, made)
  if (requireActor(context).id === id && 'email' in made.old) throw conflict('own_email_not_revertible')
  const { roles: names, ...old } = made.old
  const roles = Array.isArray(names)
    ? names.map(String).map(finderOf(await listRoles(context), 'role_gone'))
    : user.roles
  const input = parseLogged(userChange, { ...now, ...old, roles, updated_at: user.updated_at })
  await editUser(context, id, input, null)
}

/** The key of the panel is not in the log, and stays as it is. */
async function revertNode(context: Context, id: number, made: LoggedChange): Promise<void> {
  const [row] = await context.db.select().from(nodes).where(eq(nodes.id, id))
  if (!row) throw notFound('node_not_found', { id })
  const { plesk_key: _, ...now } = row
  await rejectOutdatedRevert(context, { type: 'node', id }, now, made)
  const { plesk_key: _key, ...old } = made.old
  const updated_at = row.updated_at.toISOString()
  await editNode(context, null, id, parseLogged(nodeChange, { ...now, ...old, updated_at }))
}

async function revertCustomer(context: Context, id: number, made: LoggedChange): Promise<void> {
  const [row] = await context.db.select().from(customers).where(eq(customers.id, id))
  if (!row) throw notFound('log_subject_not_found')
  await rejectOutdatedRevert(context, { type: 'customer', id }, row, made)
  const updated_at = row.updated_at.toISOString()
  await editCustomer(context, row.code, parseLogged(customerChange, { ...made.old, updated_at }))
}

/** What carries the tag is changed with it. */
async function revertTag(context: Context, id: number, made: LoggedChange): Promise<void> {
  const [row] = await context.db.select().from(tags).where(eq(tags.id, id))
  if (!row) throw notFound('tag_not_found', { id })
  await rejectOutdatedRevert(context, { type: 'tag', id }, row, made)
  const updated_at = row.updated_at.toISOString()
  await editTag(context, id, parseLogged(tagChange, { ...row, ...made.old, updated_at }))
}

async function revertClassification(context: Context, id: number, made: LoggedChange): Promise<void> {
  const isIt = eq(thirdPartyClassifications.id, id)
  await withAudit(context, async (tx) => {
    const [row] = await tx.db.select().from(thirdPartyClassifications).where(isIt).for('update')
    // The host is classified by the lists again.
    if (!row) throw conflict('classification_gone')
    const { host, category, reason } = row
    await rejectOutdatedRevert(tx, { type: 'third_party', id }, { fqdn: host, category, reason }, made)
    await classifyInTransaction(tx, parseLogged(newClassification, { ...made.old, host }))
  })
}

async function revertTrackingPolicy(context: Context, id: number, made: LoggedChange): Promise<void> {
  await withAudit(context, async (tx) => {
    const rows = await lockPolicy(tx.db)
    const decisions = Object.fromEntries(rows.map(({ category, decision }) => [category, decision]))
    await rejectOutdatedRevert(tx, { type: 'tracking_policy', id }, decisions, made)
    await editPolicyInTransaction(tx, parseLogged(policyChange, { decisions: made.old }))
  })
}

async function revertDomainAlerts(context: Context, id: number, made: LoggedChange): Promise<void> {
  await withAudit(context, async (tx) => {
    const [row] = await tx.db
      .select()
      .from(watchedDomains)
      .where(eq(watchedDomains.id, id))
      .for('no key update')
    if (!row) throw notFound('domain_not_found', { fqdn: id })
    const { muted_types } = await findWatchedDomain(tx, row.name)
    await rejectOutdatedRevert(tx, { type: 'domain', id }, { muted_types }, made)
    await editDomainAlertsInTransaction(tx, id, parseLogged(domainAlerts, made.old))
  })
}
