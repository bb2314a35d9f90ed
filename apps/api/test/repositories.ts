import type { Database } from '@kustos/database/client'
import { repositories, repositorySyncs } from '@kustos/database/tables'

/** A row of the repository list. @param project its key and name */
export function repository(name: string, project = 'TP') {
  const at = new Date('2026-11-20T10:00:00Z')
  return {
    name,
    project_key: project,
    project_name: project,
    description: '',
    html_url: `https://bitbucket.test/agency/${name}`,
    clone_url: `https://bitbucket.test/agency/${name}.git`,
    created_on: at,
    updated_on: at,
  }
}

/** Stores a list of repositories as just synced, so that the API does not request Bitbucket, which tests lack. */
export async function storeRepositories(db: Database, ...names: readonly string[]): Promise<void> {
  if (names.length > 0) await db.insert(repositories).values(names.map((name) => repository(name)))
  await db.insert(repositorySyncs).values({ succeeded_at: new Date() })
}
