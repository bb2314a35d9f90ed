import type { Repository } from '@kustos/contract/bitbucket'
import { deployments, repositories, repositorySyncs, webs } from '@kustos/database/tables'
import { and, eq, isNotNull, isNull, max, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import type { SyncedLists } from '../platform/sync-state.ts'

export const repositoryList: SyncedLists = {
  table: repositorySyncs,
  lock: 'repositories',
  names: ['repositories'],
}

/** The cached list ordered by name, each with the active web that is deployed from it and the time of its kick dump. */
export async function readRepositories({ db }: Pick<Context, 'db'>): Promise<Repository[]> {
  // Two webs may have the same repository.
  const deployed = db
    .selectDistinctOn([webs.repository], { repository: webs.repository, id: webs.id, fqdn: webs.fqdn })
    .from(webs)
    .where(and(isNull(webs.deleted_at), isNotNull(webs.repository)))
    .orderBy(webs.repository, webs.id)
    .as('deployed')
  const kick = db
    .select({ at: max(deployments.ended_at).as('at') })
    .from(deployments)
    .where(
      and(
        eq(deployments.web_id, deployed.id),
        eq(deployments.kind, 'exportDatabaseKick'),
        eq(deployments.state, 'succeeded'),
      ),
    )
    .as('kick')
  const rows = await db
    .select({ repository: repositories, id: deployed.id, fqdn: deployed.fqdn, kicked: kick.at })
    .from(repositories)
    .leftJoin(deployed, eq(deployed.repository, repositories.name))
    .leftJoinLateral(kick, sql`true`)
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
