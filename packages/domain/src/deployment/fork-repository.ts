import { type Bitbucket, SlugTakenError } from '@kustos/clients/bitbucket'
import { forkableProject } from '@kustos/contract/bitbucket'
import { message } from '@kustos/contract/messages'
import { rememberRepository } from '../bitbucket/index.ts'
import type { StepWork } from './builtins.ts'
import type { Claim } from './claim.ts'
import { StepFailure } from './failure.ts'

/** Identifies a fork of this deployment whose answer was lost. */
export const forkDescription = (row: Claim['row']) => `${row.fqdn} (Kustos deployment ${row.id})`

/** @throws StepFailure, and the errors of the clients */
export async function forkRepository({ context, tools, row, signal, note }: StepWork): Promise<void> {
  const bitbucket = requireBitbucket(tools.bitbucket)
  const { request, repository: name } = row
  if (request === null || name === null) throw new StepFailure(message('fork_without_request'))
  const description = forkDescription(row)
  const existing = await bitbucket.find(name, signal)
  if (existing !== null && existing.description !== description)
    throw new StepFailure(message('repository_exists', { repository: name }))
  const fork = { name, project: forkableProject, description }
  const repository =
    existing ??
    (await bitbucket.fork(request.sourceRepo, fork, signal).catch(async (error: unknown) => {
      if (!(error instanceof SlugTakenError)) throw error
      // A worker that has lost the lease meanwhile may have been creating it.
      const own = await bitbucket.find(name, signal)
      if (own?.description !== description) throw error
      return own
    }))
  await context.db.transaction(async (db) => {
    await context.assertLease?.(db)
    await rememberRepository(db, repository)
  })
  note(`${repository.html_url} is a fork of ${request.sourceRepo}.`)
}

/** @throws StepFailure if it is not configured */
export function requireBitbucket(bitbucket: Bitbucket | null): Bitbucket {
  if (bitbucket === null) throw new StepFailure(message('bitbucket_missing'))
  return bitbucket
}
