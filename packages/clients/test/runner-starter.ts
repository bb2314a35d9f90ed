// A worker to be killed: starts one command and tells each line.
import { z } from 'zod'
import { openLocalRunners, openSshRunners } from '../src/runner/index.ts'

const startedBy = z.object({
  local: z.object({ folder: z.string() }).optional(),
  ssh: z
    .object({
      keyFile: z.string(),
      knownHostsFile: z.string(),
      user: z.string(),
      port: z.number(),
      controllerFolder: z.string(),
      runsFolder: z.string(),
    })
    .optional(),
})
export type Opening = z.output<typeof startedBy>
const task = z.object({ open: startedBy, run: z.string(), argv: z.tuple([z.string()], z.string()) })

export const testNode = { name: 'node-01', plesk_fqdn: '127.0.0.1' }

export function openRunners({ local, ssh }: Opening) {
  if (local) return openLocalRunners(local)
  if (ssh) return openSshRunners(ssh)
  throw new Error('There is nothing to open')
}

if (import.meta.main) {
  const { open, run, argv } = task.parse(JSON.parse(process.argv[2] ?? ''))
  await openRunners(open)
    .node(testNode)
    .run(
      { argv, run, timeoutMs: 60_000 },
      {
        signal: new AbortController().signal,
        onLine: (_source, text) => process.stdout.write(`${text}\n`),
      },
    )
}
