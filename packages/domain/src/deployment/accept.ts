import { isForkable, kickstarters, repositoryFor, spelledOut } from '@kustos/contract/bitbucket'
import {
  type Action,
  type DeploymentKind,
  type NewWebRequest,
  requestTexts,
  trialDayPrefix,
} from '@kustos/contract/deployment'
import { asciiFqdn, fqdn as hostName } from '@kustos/contract/webs'
import {
  deploymentSteps,
  deployments,
  nodes,
  repositories,
  repositorySyncs,
  webs,
} from '@kustos/database/tables'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { type Change, change } from '../audit.ts'
import type { Context, Scope } from '../context.ts'
import { brokeUnique, conflict, invalid, notFound, upstream } from '../errors.ts'
import { systemUser } from './builtins.ts'
import { deploymentJob } from './jobs.ts'
import { type DestinationNode, nodeForFork, nodeForNewWeb } from './nodes.ts'
import type { DeploymentTools } from './tools.ts'

/** What Bitbucket takes as a repository's name without changing it; its own limit is 62 characters. */
const slug = /^[a-z0-9._-]{1,62}$/

const wrongServer = 'This action can not be executed on this server.'

/**
 * Accepts an action on a web.
 * @returns the deployment's id
 * @throws DomainError not-found; conflict for a node that is not cloud-enabled, and where the same action is under way
 */
export async function requestAction(
  context: Context,
  tools: DeploymentTools,
  action: Action,
  { id: webId, backup = true }: { readonly id: number; readonly backup?: boolean | undefined },
): Promise<number> {
  const accepted = await unlessUnderWay(
    ['deployments_one_of_a_kind'],
    'This action is already waiting or running for this web.',
    () =>
      change(context, async (inside) => {
        const [web] = await inside.db
          .select({
            fqdn: webs.fqdn,
            node: nodes.id,
            enabled: nodes.cloud_enabled,
            repository: webs.repository,
          })
          .from(webs)
          .leftJoin(nodes, eq(nodes.id, webs.node_id))
          .where(and(eq(webs.id, webId), isNull(webs.deleted_at)))
          .for('key share', { of: webs })
        if (!web) throw notFound(`Web ${webId}`)
        if (web.enabled !== true) throw conflict(wrongServer)
        if (action === 'exportDatabaseKick' && web.repository === null)
          throw conflict('This web has no repository on Bitbucket, so nothing can be forked from it.')
        const { fqdn, node } = web
        const id = await keep(inside, tools, { kind: action, fqdn, web_id: webId, node_id: node, backup })
        await inside.record({
          log: 'deployment',
          description: `${action} requested`,
          subject: { type: 'web', id: webId },
          attributes: { deployment: id, ...(action === 'importDatabase' && { backup }) },
        })
        return { deployment: id, kind: action, fqdn, web_id: webId }
      }),
  )
  await handOver(context, tools, accepted, true)
  return accepted.deployment
}

/**
 * Accepts a request for a new web, a fork or a trial-day web.
 * @returns the deployment's id
 * @throws DomainError invalid for a field; conflict while a request for the same repository is under way; upstream where
 * the repositories were never known
 */
export async function requestWeb(
  context: Context,
  tools: DeploymentTools,
  request: NewWebRequest,
): Promise<number> {
  const trial = request.bnName.startsWith(trialDayPrefix)
  const repository = trial
    ? spelledOut(request.futureDomain)
    : repositoryFor(request.sourceRepo, request.futureDomain)
  if (!slug.test(repository))
    throw invalid({ futureDomain: 'This name can not be a repository on Bitbucket' })
  const accepted = await unlessUnderWay(
    ['deployments_one_for_a_repository', 'deployments_one_for_a_new_fqdn'],
    `A request for the repository ${repository} is under way.`,
    () =>
      change(context, async (inside) => {
        await checkSource(inside, tools, request, trial)
        if (await isTaken(inside, repository)) throw invalid({ futureDomain: requestTexts.taken })
        const node = await nodeFor(inside, request.sourceRepo)
        const fqdn = trial ? `${repository}.${node.plesk_fqdn}` : hostName.parse(request.futureDomain)
        await checkFqdn(inside, fqdn)
        await checkSystemUser(inside, request.bnName, node)
        const id = await keep(inside, tools, {
          kind: 'newWeb',
          fqdn,
          web_id: null,
          node_id: node.id,
          request,
          repository,
        })
        await inside.record({
          log: 'deployment',
          description: 'newWeb requested',
          subject: { type: 'deployment', id },
          attributes: { ...request, repository, node: node.name },
        })
        return { deployment: id, kind: 'newWeb' as const, fqdn, web_id: null }
      }),
  )
  await handOver(context, tools, accepted, true)
  return accepted.deployment
}

/** Hands a deployment's job over. Where that cannot be done now, the sweeper does it: the row is what counts. */
export async function handOver(
  { requestId }: Pick<Context, 'requestId'>,
  tools: DeploymentTools,
  payload: Parameters<typeof deploymentJob>[0],
  isFirst = false,
): Promise<void> {
  await tools.queues.add({ ...deploymentJob(payload, requestId), isFirst }).catch(tools.onError)
}

async function keep(
  inside: Change,
  tools: DeploymentTools,
  row: Pick<
    typeof deployments.$inferInsert,
    'fqdn' | 'web_id' | 'node_id' | 'request' | 'repository' | 'backup'
  > & {
    kind: DeploymentKind
  },
): Promise<number> {
  const now = inside.now()
  const [kept] = await inside.db
    .insert(deployments)
    .values({ ...row, requested_by: inside.actor?.id ?? null, created_at: now, updated_at: now })
    .returning({ id: deployments.id })
  if (!kept) throw new Error('The deployment was not kept')
  const steps = tools.recipes[row.kind].map((step, index) => ({
    deployment_id: kept.id,
    step: index,
    name: step.name,
    place: step.place,
    state: step.place !== 'builtin' && step.only === 'backup' && row.backup === false ? 'skipped' : 'pending',
  }))
  await inside.db.insert(deploymentSteps).values(steps)
  return kept.id
}

async function checkSource(
  inside: Scope,
  tools: DeploymentTools,
  { sourceRepo, customer }: NewWebRequest,
  trial: boolean,
): Promise<void> {
  const [[source], [synced]] = await Promise.all([
    inside.db.select().from(repositories).where(eq(repositories.name, sourceRepo)),
    inside.db.select().from(repositorySyncs).where(isNotNull(repositorySyncs.succeeded_at)),
  ])
  if (!synced) throw upstream('Bitbucket has not told its repositories yet. Try again in a minute.')
  if (!source) throw invalid({ sourceRepo: 'There is no such repository' })
  const isTemplate = sourceRepo === tools.trialDay?.template
  if (trial !== isTemplate) {
    throw invalid({
      sourceRepo: trial
        ? 'A trial-day web starts from the trial-day template'
        : 'The trial-day template is for trial-day webs alone',
    })
  }
  if (trial) {
    if (customer !== tools.trialDay?.customer)
      throw invalid({ customer: `Trial-day webs belong to ${tools.trialDay?.customer}` })
    return
  }
  const project = { name: source.project_name, key: source.project_key }
  const isSource = kickstarters.includes(sourceRepo) || isForkable({ name: sourceRepo, project })
  if (!isSource || source.fork_policy === 'no_forks')
    throw invalid({ sourceRepo: 'This repository can not be forked' })
}

async function isTaken(inside: Scope, repository: string): Promise<boolean> {
  const known = await inside.db
    .select({ name: repositories.name })
    .from(repositories)
    .where(eq(repositories.name, repository))
  return known.length > 0
}

async function nodeFor(inside: Scope, source: string): Promise<DestinationNode> {
  // The kick dump of a web lies on its node.
  const node = (await nodeForFork(inside.db, source)) ?? (await nodeForNewWeb(inside.db))
  if (!node) throw conflict('No node is cloud-enabled: there is no place for a new web.')
  return node
}

async function checkFqdn(inside: Scope, fqdn: string): Promise<void> {
  const living = await inside.db
    .select({ id: webs.id })
    .from(webs)
    .where(and(eq(webs.fqdn_ascii, asciiFqdn(fqdn) ?? fqdn), isNull(webs.deleted_at)))
  if (living.length > 0) throw invalid({ futureDomain: 'A web with this FQDN exists already' })
}

/** Two webs of one system user on a node would share their files and their database. */
async function checkSystemUser(inside: Scope, bnName: string, node: DestinationNode): Promise<void> {
  const name = systemUser(bnName)
  const [living] = await inside.db
    .select({ fqdn: webs.fqdn })
    .from(webs)
    .where(and(eq(webs.sysuser, name), eq(webs.node_id, node.id), isNull(webs.deleted_at)))
    .limit(1)
  if (living)
    throw invalid({
      bnName: `${living.fqdn} has the system user ${name} on ${node.name}: add something, such as ${bnName}-2`,
    })
}

async function unlessUnderWay<T>(
  indexes: readonly string[],
  sentence: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw indexes.some((index) => brokeUnique(error, index)) ? conflict(sentence) : error
  }
}
