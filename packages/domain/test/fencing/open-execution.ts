import { openDatabase } from '@kustos/database/client'
import { executeDeployment } from '../../src/deployment/index.ts'
import { readConfiguration } from '../../src/platform/configuration.ts'
import { createContext } from '../../src/platform/context.ts'
import { openWorkerServices } from '../../src/services.ts'

/** Writes to a journal when it starts and ends, and runs until the test lets it go. */
export const journaledStep = {
  name: 'import',
  place: 'node',
  argv: [
    'sh',
    '-c',
    'echo starts >> "journal-$1"; echo "$1 runs"; until [ -e "go-$1" ]; do sleep 0.05; done; echo ends >> "journal-$1"',
    'sh',
    '{deployment}',
  ],
  timeout: 60,
} as const

/** Opens what a worker needs to execute deployments that have the journaled step, once or twice. */
export async function openTestExecution({ databaseUrl, folder }: { databaseUrl: string; folder: string }) {
  const read = readConfiguration({
    DATABASE_URL: databaseUrl,
    LOCAL_NODES_DIR: folder,
    KUSTOS_DATA_DIR: folder,
    NODE_CONCURRENCY: '64',
  })
  if (!read.ok) throw new Error(read.sentence)
  const services = await openWorkerServices(read.configuration, { databaseUrl, onError: () => undefined })
  const database = openDatabase(databaseUrl, { max: 10 })
  const step = { ...journaledStep, argv: [...journaledStep.argv] as [string, ...string[]] }
  const tools = {
    ...services.deployments,
    recipes: { updateWeb: [step, step] },
  }
  return {
    context: createContext(database),
    execute: (id: number, stopping = new AbortController().signal) =>
      executeDeployment(createContext(database), tools, id, stopping),
    async close() {
      await services.close()
      await database.close()
    },
  }
}
