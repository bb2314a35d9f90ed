import type { BitbucketRepository } from '@kustos/clients/bitbucket'
import { removeBidiControls } from '@kustos/contract/text'
import type { Transaction } from '@kustos/database/client'
import { repositories } from '@kustos/database/tables'

export type RepositoryRow = typeof repositories.$inferSelect

export const toRepositoryRow = ({
  project,
  description,
  parent: _,
  ...columns
}: BitbucketRepository): RepositoryRow => ({
  ...columns,
  description: removeBidiControls(description),
  project_key: removeBidiControls(project.key),
  project_name: removeBidiControls(project.name),
})

/** Adds a repository to the list without waiting for the next refresh. */
export async function rememberRepository(db: Transaction, repository: BitbucketRepository): Promise<void> {
  const { name, ...columns } = toRepositoryRow(repository)
  await db
    .insert(repositories)
    .values({ name, ...columns })
    .onConflictDoUpdate({ target: repositories.name, set: columns })
}
