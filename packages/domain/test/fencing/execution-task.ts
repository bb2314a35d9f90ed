import { z } from 'zod'

/** What the freezing execution is told, over its channel: a deployment, and the point at which it freezes. */
export const executionTask = z.object({ deployment: z.int(), point: z.int() })

export const executionSettings = z.object({ databaseUrl: z.string(), folder: z.string() })
