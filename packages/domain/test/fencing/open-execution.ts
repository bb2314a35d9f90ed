import { join } from 'node:path'
import { openSshRunners } from '@kustos/clients/runner'
import { openDatabase } from '@kustos/database/client'
import { executeDeployment } from '../../src/deployment/index.ts'
import type { ExecutionTools } from '../../src/deployment/tools.ts'
import { readConfiguration } from '../../src/platform/configuration/index.ts'
import { createContext } from '../../src/platform/context.ts'
import { openWorkerServices } from '../../src/services.ts'
import type { ExecutionSettings } from './execution-task.ts'

export const journaledStep = { name: 'import', place: 'node', timeout: 60 } as const

interface ExecutionOptions extends Partial<Pick<ExecutionTools, 'runners' | 'recipes'>> {
  readonly stopping?: AbortSignal
}

/** Writes to a journal when it starts and ends, and runs until the test lets it go. */
const journaledScript =
  'cd "$2"; echo starts >> "journal-$1"; echo "$1 runs"; until [ -e "go-$1" ]; do sleep 0.05; done; echo ends >> "journal-$1"'

/** Opens what a worker needs to execute deployments that have the journaled step, once or twice. */
export async function openTestExecution({ databaseUrl, folder, ssh }: ExecutionSettings) {
  const read = readConfiguration({
    DATABASE_URL: databaseUrl,
    LOCAL_NODES_DIR: folder,
    KUSTOS_DATA_DIR: folder,
    NODE_CONCURRENCY: '64',
  })
  if (!read.ok) throw new Error(read.sentence)
  const services = await openWorkerServices(read.configuration, { databaseUrl, onError: () => undefined })
  const database = openDatabase(databaseUrl, { max: 10 })
  const argv: [string, ...string[]] = ['sh', '-c', journaledScript, 'sh', '{deployment}', join(folder, 'n1')]
  const step = { ...journaledStep, argv }
  const tools = { ...services.deployments, recipes: { updateWeb: [step, step] } }
  const execute = (
    id: number,
    { stopping = new AbortController().signal, ...changed }: ExecutionOptions = {},
  ) => executeDeployment(createContext(database), { ...tools, ...changed }, id, stopping)
  return {
    context: createContext(database),
    execute,
    /** Connects again for each deployment. */
    async executeOverSsh(id: number) {
      if (!ssh) throw new Error('There is no server')
      const runners = openSshRunners({ ...ssh, runsFolder: join(folder, 'runs-over-ssh') })
      try {
        return await execute(id, { runners })
      } finally {
        await runners.close()
      }
    },
    async close() {
      await services.close()
      await database.close()
    },
  }
}
