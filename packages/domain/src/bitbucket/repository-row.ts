import type { BitbucketRepository } from '@kustos/clients/bitbucket'
import type { Transaction } from '@kustos/database/client'
import { repositories } from '@kustos/database/tables'

export type RepositoryRow = typeof repositories.$inferSelect

export const rowOf = (repository: BitbucketRepository): RepositoryRow => ({
  name: repository.name,
  project_key: repository.project.key,
  project_name: repository.project.name,
  description: repository.description,
  fork_policy: repository.fork_policy,
  html_url: repository.html_url,
  clone_url: repository.clone_url,
  created_on: repository.created_on,
  updated_on: repository.updated_on,
})

/** Adds a repository to the list without waiting for the next refresh. */
export async function rememberRepository(db: Transaction, repository: BitbucketRepository): Promise<void> {
  const { name, ...columns } = rowOf(repository)
  await db
    .insert(repositories)
    .values({ name, ...columns })
    .onConflictDoUpdate({ target: repositories.name, set: columns })
}
