import { isForkable, kickstarters, repositoryFor, spelledOut } from '@kustos/contract/bitbucket'
import { type NewWebRequest, requestTexts, trialDayPrefix } from '@kustos/contract/deployment'
import { asciiFqdn, fqdn as hostName } from '@kustos/contract/webs'
import { repositories, repositorySyncs, webs } from '@kustos/database/tables'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { change } from '../audit.ts'
import type { Context, Scope } from '../context.ts'
import { conflict, invalid, upstream } from '../errors.ts'
import { handOver, keepDeployment } from './accept.ts'
import { type DestinationNode, nodeForFork, nodeForNewWeb } from './nodes.ts'
import { unlessUnderWay } from './refusals.ts'
import { whoHasSystemUser } from './system-user.ts'
import type { DeploymentTools } from './tools.ts'

/** What Bitbucket takes as a repository's name without changing it; its own limit is 62 characters. */
const slug = /^[a-z0-9._-]{1,62}$/

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
  const isTrial = request.bnName.startsWith(trialDayPrefix)
  const repository = isTrial
    ? spelledOut(request.futureDomain)
    : repositoryFor(request.sourceRepo, request.futureDomain)
  if (!slug.test(repository))
    throw invalid({ futureDomain: 'This name can not be a repository on Bitbucket' })
  const accepted = await unlessUnderWay(() =>
    change(context, async (inside) => {
      await checkSource(inside, tools, request, isTrial)
      if (await isTaken(inside, repository)) throw invalid({ futureDomain: requestTexts.taken })
      const node = await nodeFor(inside, request.sourceRepo)
      const fqdn = isTrial ? `${repository}.${node.plesk_fqdn}` : hostName.parse(request.futureDomain)
      await checkFqdn(inside, fqdn)
      const taken = await whoHasSystemUser(inside.db, { fqdn, bnName: request.bnName, node })
      if (taken !== null) throw invalid({ bnName: `${taken}: add something, such as ${request.bnName}-2` })
      const id = await keepDeployment(inside, tools, {
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
  await handOver(context, tools, accepted, { isFirst: true })
  return accepted.deployment
}

async function checkSource(
  inside: Scope,
  tools: DeploymentTools,
  { sourceRepo, customer }: NewWebRequest,
  isTrial: boolean,
): Promise<void> {
  const [[source], [synced]] = await Promise.all([
    inside.db.select().from(repositories).where(eq(repositories.name, sourceRepo)),
    inside.db.select().from(repositorySyncs).where(isNotNull(repositorySyncs.succeeded_at)),
  ])
  if (!synced) throw upstream('Bitbucket has not told its repositories yet. Try again in a minute.')
  if (!source) throw invalid({ sourceRepo: 'There is no such repository' })
  const isTemplate = sourceRepo === tools.trialDay?.template
  if (isTrial !== isTemplate) {
    throw invalid({
      sourceRepo: isTrial
        ? 'A trial-day web starts from the trial-day template'
        : 'The trial-day template is for trial-day webs alone',
    })
  }
  if (isTrial) {
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
