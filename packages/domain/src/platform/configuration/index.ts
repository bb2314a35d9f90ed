import { z } from 'zod'
import { alertVariables } from './alerts.ts'
import { documentation } from './documentation.ts'
import { programVariables, sandboxVariables } from './programs.ts'
import { readSecretFiles } from './secret-files.ts'
import { websiteVariables } from './websites.ts'

export { documentation } from './documentation.ts'
export { workerQueues } from './programs.ts'

const variables = z.object({
  ...programVariables,
  ...websiteVariables,
  ...alertVariables,
  ...sandboxVariables,
})

/** The schema of each variable by its name. */
export const variableSchemas: Readonly<Record<string, z.ZodType>> = variables.shape

export type Configuration = z.output<typeof variables>

export type ReadConfiguration =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly sentence: string }

const secretNames = Object.entries(variableSchemas).flatMap(([name, schema]) =>
  documentation.get(schema)?.isSecret ? [name] : [],
)

/**
 * Reads the environment variables. An empty variable counts as unset.
 * @returns the configuration, or a sentence that names the first invalid variable
 */
export function readConfiguration(
  environment: Readonly<Record<string, string | undefined>>,
): ReadConfiguration {
  const read = readSecretFiles(
    Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) =>
        value === undefined || value.trim() === '' ? [] : [[name, value]],
      ),
    ),
    secretNames,
  )
  if (!read.ok) return read
  const parsed = variables.safeParse(read.environment)
  if (parsed.success) {
    const { AUDIT_RETENTION: months, AUDIT_ARCHIVE_DIR: folder } = parsed.data
    if (months !== undefined && folder === undefined)
      return { ok: false, sentence: 'AUDIT_RETENTION needs AUDIT_ARCHIVE_DIR, the folder of the archives.' }
    return { ok: true, configuration: parsed.data }
  }
  const [issue] = parsed.error.issues
  return { ok: false, sentence: `${String(issue?.path[0])} ${issue?.message}.` }
}
