import type { OpenDatabase } from '@kustos/database/client'
import type { Configuration } from '../platform/configuration.ts'
import { examineDatabase, examinePooler } from './database.ts'
import type { Finding } from './finding.ts'
import {
  examineFiles,
  examineMail,
  examineNameServers,
  examineProgram,
  examineQueue,
} from './surroundings.ts'

export type { Finding } from './finding.ts'

/** Looks for what is misconfigured, for the program whose configuration it is, and changes nothing. */
export async function examine(
  configuration: Configuration,
  database: OpenDatabase,
): Promise<readonly Finding[]> {
  const findings = await Promise.all([
    examineProgram(configuration),
    examineDatabase(database, configuration),
    examinePooler(configuration, database),
    examineQueue(configuration),
    examineNameServers(configuration),
    examineMail(configuration),
    examineFiles(configuration),
  ])
  return findings.flat()
}
