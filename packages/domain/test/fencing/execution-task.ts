import { z } from 'zod'

/** What the freezing execution is told, over its channel: a deployment, and the point at which it freezes. */
export const executionTask = z.object({ deployment: z.int(), point: z.int(), isOverSsh: z.boolean() })

export const executionSettings = z.object({
  databaseUrl: z.string(),
  folder: z.string(),
  /** A server on this machine. */
  ssh: z
    .object({ port: z.int(), user: z.string(), keyFile: z.string(), knownHostsFile: z.string() })
    .optional(),
})
export type ExecutionSettings = z.output<typeof executionSettings>
