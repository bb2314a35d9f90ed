import { type OpenDatabase, openDatabase } from '@kustos/database/client'
import { findPoolerProblem } from '@kustos/database/pooler'
import { checkConnections } from './connections.ts'
import { errorMessage } from './errors.ts'
import { refuse, type StartedProgram } from './program.ts'
import { waitForDatabase } from './retry.ts'

interface ProgramDatabaseOptions {
  readonly name: string
  /** Unless DATABASE_CONNECTIONS says otherwise. */
  readonly defaultMax: number
  /** The connections to Postgres that the program can open besides the pool. */
  readonly others: number
}

/**
 * Opens the database of the API or a worker, through the pooler if there is one, and warns if Postgres has too few connections. Called
 * before the program opens other connections. Ends the process if the pooler is not set up.
 */
export async function openProgramDatabase(
  { configuration, databaseUrl, log, onError, onConnectionLost }: StartedProgram,
  { name, defaultMax, others }: ProgramDatabaseOptions,
): Promise<OpenDatabase> {
  const { DATABASE_POOLER_URL: poolerUrl, DATABASE_CONNECTIONS: max = defaultMax } = configuration
  const isPooled = poolerUrl !== undefined
  const database = openDatabase(poolerUrl ?? databaseUrl, { name, max, isPooled, onConnectionLost })
  if (isPooled) {
    const direct = openDatabase(databaseUrl, { name, max: 1 })
    const problem = await waitForDatabase(() => findPoolerProblem(database, direct), onError).catch(
      (error: unknown) => refuse(`DATABASE_POOLER_URL cannot be used: ${errorMessage(error)}`),
    )
    await direct.close()
    if (problem !== null) refuse(`${problem.text} ${problem.advice}`)
  }
  await waitForDatabase(() => checkConnections(database, log, others), onError).catch(onError)
  return database
}
