import type { Repository } from '@kustos/contract/bitbucket'
import { deployments, repositories, repositorySyncs, webs } from '@kustos/database/tables'
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import type { SyncedLists } from '../platform/sync-state.ts'

export const repositoryList: SyncedLists = {
  table: repositorySyncs,
  lock: 'repositories',
  names: ['repositories'],
}

/** When the last kick dump of a web was made on its node. Those from before it was moved stay on the other one. */
const kickDumpedAt = sql<Date | null>`(
  select max(ended_at) from ${deployments} kick
  where kick.web_id = webs.id and kick.node_id is not distinct from webs.node_id
    and kick.kind = 'exportDatabaseKick' and kick.state = 'succeeded')`.mapWith(deployments.ended_at)

/** Orders webs of one repository: the first one is forked, since it has the newest kick dump. */
export const byKickDump: readonly SQL[] = [sql`${kickDumpedAt} desc nulls last`, sql`webs.id`]

/** The cached list ordered by name, each with the active web that is deployed from it and the time of its kick dump. */
export async function readRepositories({ db }: Pick<Context, 'db'>): Promise<Repository[]> {
  // Two webs may have the same repository.
  const { repository, id, fqdn } = webs
  const deployed = db
    .selectDistinctOn([repository], { repository, id, fqdn, kicked: kickDumpedAt.as('kicked') })
    .from(webs)
    .where(and(isNull(webs.deleted_at), isNotNull(repository)))
    .orderBy(repository, ...byKickDump)
    .as('deployed')
  const rows = await db
    .select({ repository: repositories, id: deployed.id, fqdn: deployed.fqdn, kicked: deployed.kicked })
    .from(repositories)
    .leftJoin(deployed, eq(deployed.repository, repositories.name))
    .orderBy(repositories.name)
  return rows.map(({ repository, id, fqdn, kicked }) => ({
    name: repository.name,
    project: { name: repository.project_name, key: repository.project_key },
    description: repository.description,
    updated_on: repository.updated_on.toISOString(),
    created_on: repository.created_on.toISOString(),
    links: { html: { href: repository.html_url } },
    web: id === null || fqdn === null ? null : { id, fqdn },
    kick_dumped_at: kicked?.toISOString() ?? null,
  }))
}
