// Starts one command and prints its lines, as a worker that a test kills.
import { z } from 'zod'
import { openLocalRunners, openSshRunners } from '../src/runner/index.ts'

const runnersOptionsSchema = z.object({
  local: z.object({ folder: z.string() }).optional(),
  ssh: z
    .object({
      keyFile: z.string(),
      knownHostsFile: z.string(),
      user: z.string(),
      port: z.number(),
      runsFolder: z.string(),
    })
    .optional(),
})
export type RunnersOptions = z.output<typeof runnersOptionsSchema>
const task = z.object({
  options: runnersOptionsSchema,
  runId: z.string(),
  argv: z.tuple([z.string()], z.string()),
})

export const testNode = { name: 'node-01', plesk_fqdn: '127.0.0.1' }

export function openRunners({ local, ssh }: RunnersOptions) {
  if (local) return openLocalRunners(local)
  if (ssh) return openSshRunners(ssh)
  throw new Error('Neither local nor SSH options')
}

if (import.meta.main) {
  const { options, runId, argv } = task.parse(JSON.parse(process.argv[2] ?? ''))
  await openRunners(options)
    .node(testNode)
    .run(
      { argv, runId, timeoutMs: 60_000 },
      {
        signal: new AbortController().signal,
        onLine: (_source, text) => process.stdout.write(`${text}\n`),
      },
    )
}
