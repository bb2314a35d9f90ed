import type { OpenDatabase } from '@kustos/database/client'
import type { Configuration } from '../platform/configuration/index.ts'
import { checkDatabase, checkPooler } from './database.ts'
import { checkFiles, checkMail, checkNameServers, checkProgram, checkQueue } from './environment.ts'
import type { Finding } from './finding.ts'

export type { Finding } from './finding.ts'

/** Checks the installation with the configuration of the calling program, without changing anything. */
export async function checkInstallation(
  configuration: Configuration,
  database: OpenDatabase,
): Promise<readonly Finding[]> {
  const findings = await Promise.all([
    checkProgram(configuration),
    checkDatabase(database, configuration),
    checkPooler(configuration, database),
    checkQueue(configuration),
    checkNameServers(configuration),
    checkMail(configuration),
    checkFiles(configuration),
  ])
  return findings.flat()
}
