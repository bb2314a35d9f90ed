import { buildRepositoryName, isForkable, kickstarters, transliterate } from '@kustos/contract/bitbucket'
import {
  type NewWebRequest,
  type NodeAction,
  nodeActionOf,
  trialDayPrefix,
} from '@kustos/contract/deployment'
import { message } from '@kustos/contract/messages'
import { asciiFqdn, fqdn as hostName } from '@kustos/contract/webs'
import { nodes, repositories, repositorySyncs, webs } from '@kustos/database/tables'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import type { Context, Scope } from '../platform/context.ts'
import { conflict, DomainError, invalid, notFound, upstreamError } from '../platform/errors.ts'
import { lockCode } from '../platform/merged-codes.ts'
import { enqueue, insertDeployment } from './enqueue.ts'
import { type DestinationNode, nodeForFork, nodeForNewWeb } from './nodes.ts'
import { findActionRefusal, rejectDuplicate, rejectOtherSpelling } from './refusals.ts'
import { findSystemUserOwner, systemUser } from './system-user.ts'
import type { DeploymentTools } from './tools.ts'

/** The repository names that Bitbucket takes without changing them. Its limit is 62 characters. */
const slug = /^[a-z0-9._-]{1,62}$/

/**
 * Requests a new web, a fork or a trial-day web.
 * @returns the id of the deployment
 * @throws DomainError invalid; conflict while a request for the same repository is waiting or running; upstream if the
 * repositories were never listed
 */
export async function requestWeb(
  context: Context,
  tools: DeploymentTools,
  request: NewWebRequest,
): Promise<number> {
  const isTrial = request.bnName.startsWith(trialDayPrefix)
  const domain = isTrial ? request.futureDomain : hostName.parse(request.futureDomain)
  const repository = isTrial ? transliterate(domain) : buildRepositoryName(request.sourceRepo, domain)
  if (!slug.test(repository)) throw invalid({ futureDomain: message('repository_name_impossible') })
  const accepted = await rejectDuplicate(() =>
    withAudit(context, async (tx) => {
      await checkSource(tx, tools, request, isTrial)
      if (await isTaken(tx, repository)) throw invalid({ futureDomain: message('repository_taken') })
      const node = await nodeFor(tx, request.sourceRepo)
      const fqdn = isTrial ? nameBelow(node, repository) : domain
      await checkFqdn(tx, fqdn)
      await rejectOtherSpelling(tx.db, fqdn)
      const taken = await findSystemUserOwner(tx.db, { fqdn, user: systemUser(request.bnName), node })
      if (taken !== null)
        throw invalid({ bnName: message('tp_number_taken', { taken, bnName: request.bnName }) })
      const id = await insertDeployment(tx, tools, {
        kind: 'newWeb',
        fqdn,
        web_id: null,
        node_id: node.id,
        request,
        repository,
      })
      await tx.record({
        log: 'deployment',
        description: 'newWeb requested',
        subject: { type: 'deployment', id },
        attributes: { ...request, repository, node: node.name },
      })
      return { deployment: id, kind: 'newWeb' as const, fqdn, web_id: null }
    }),
  )
  await enqueue(context, tools, accepted, { isNewId: true })
  return accepted.deployment
}

async function checkSource(
  tx: Scope,
  tools: DeploymentTools,
  { sourceRepo, customer }: NewWebRequest,
  isTrial: boolean,
): Promise<void> {
  const [source] = await tx.db.select().from(repositories).where(eq(repositories.name, sourceRepo))
  const [synced] = await tx.db.select().from(repositorySyncs).where(isNotNull(repositorySyncs.succeeded_at))
  if (!synced) throw upstreamError('bitbucket_not_synced')
  if (!source) throw invalid({ sourceRepo: message('repository_unknown') })
  const isTemplate = sourceRepo === tools.trialDay?.template
  if (isTrial !== isTemplate) {
    throw invalid({
      sourceRepo: message(isTrial ? 'trial_day_source_wrong' : 'trial_day_template_reserved'),
    })
  }
  if (isTrial && tools.trialDay) {
    if (customer !== tools.trialDay.customer)
      throw invalid({ customer: message('trial_day_customer_wrong', { customer: tools.trialDay.customer }) })
    return
  }
  const project = { name: source.project_name, key: source.project_key }
  const isSource = kickstarters.includes(sourceRepo) || isForkable({ name: sourceRepo, project })
  if (!isSource || source.fork_policy === 'no_forks')
    throw invalid({ sourceRepo: message('repository_not_forkable') })
  await lockCode(tx, customer)
}

async function isTaken(tx: Scope, repository: string): Promise<boolean> {
  const known = await tx.db
    .select({ name: repositories.name })
    .from(repositories)
    .where(eq(repositories.name, repository))
  return known.length > 0
}

async function nodeFor(tx: Scope, source: string): Promise<DestinationNode> {
  // The kick dump of a web is on its node.
  const node = (await nodeForFork(tx.db, source)) ?? (await nodeForNewWeb(tx.db))
  // It may have been deleted since, and must not be deleted before the transaction ends.
  const [locked] = node
    ? await tx.db.select({ id: nodes.id }).from(nodes).where(eq(nodes.id, node.id)).for('key share')
    : []
  if (!node || !locked) throw conflict('no_cloud_node')
  return node
}

/** The name of a trial-day web. @throws DomainError conflict if the panel of its node has an address instead of a name */
function nameBelow({ name, plesk_fqdn: host }: DestinationNode, repository: string): string {
  const parsed = hostName.safeParse(`${repository}.${host}`)
  if (!parsed.success) throw conflict('trial_day_node_without_name', { node: name, host })
  return parsed.data
}

async function checkFqdn(tx: Scope, fqdn: string): Promise<void> {
  const existing = await tx.db
    .select({ id: webs.id })
    .from(webs)
    .where(and(eq(webs.fqdn_ascii, asciiFqdn(fqdn) ?? fqdn), isNull(webs.deleted_at)))
  if (existing.length > 0) throw invalid({ futureDomain: message('fqdn_taken') })
}

/**
 * Requests an action on a web.
 * @returns the id of the deployment
 * @throws DomainError not-found; conflict if the node is not cloud-enabled, the action is already waiting or running, or
 * the recipes lack it
 */
export async function requestAction(
  context: Context,
  tools: DeploymentTools,
  action: NodeAction,
  target: ActionTarget,
): Promise<number> {
  const accepted = await rejectDuplicate(() =>
    withAudit(context, (tx) => insertAction(tx, tools, action, target)),
  )
  await enqueue(context, tools, accepted, { isNewId: true })
  return accepted.deployment
}

interface ActionTarget {
  /** Of the web. */
  readonly id: number
  readonly backup?: boolean | undefined
  readonly batch?: number
}

/**
 * Does the same in the transaction of the caller, who wraps it in `rejectDuplicate` and enqueues the job afterwards.
 * @returns the payload of the job
 */
export async function insertAction(
  tx: AuditTransaction,
  tools: DeploymentTools,
  action: NodeAction,
  { id: webId, backup = true, batch }: ActionTarget,
): Promise<Parameters<typeof enqueue>[2]> {
  const [web] = await tx.db
    .select({
      fqdn: webs.fqdn,
      node: nodes.id,
      nodeName: nodes.name,
      isCloudEnabled: nodes.cloud_enabled,
      repository: webs.repository,
    })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(and(eq(webs.id, webId), isNull(webs.deleted_at)))
    .for('key share', { of: webs })
  if (!web) throw notFound('web_not_found', { id: webId })
  const refusal = findActionRefusal(action, web, batch === undefined ? undefined : web.nodeName)
  if (refusal !== null) throw new DomainError('conflict', refusal)
  const { fqdn, node } = web
  const row = { kind: action, fqdn, web_id: webId, node_id: node, backup, batch_id: batch ?? null }
  const id = await insertDeployment(tx, tools, row)
  await tx.record({
    log: 'deployment',
    description: `${action} requested`,
    subject: { type: 'web', id: webId },
    attributes: { deployment: id, ...(nodeActionOf(action).options?.includes('backup') && { backup }) },
  })
  return { deployment: id, kind: action, fqdn, web_id: webId }
}
