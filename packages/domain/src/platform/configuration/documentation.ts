import { z } from 'zod'

interface VariableDocumentation {
  readonly section: string
  /** One or two sentences for operators, in Markdown. */
  readonly description: string
  /** Secrets may be read from a file, see `readSecretFiles`. */
  readonly isSecret?: true
}

/** The description of each variable in docs/configuration.md. */
export const documentation = z.registry<VariableDocumentation>()

export const section =
  (name: string) =>
  <Schema extends z.ZodType>(schema: Schema, description: string, options?: { isSecret: true }): Schema => {
    documentation.add(schema, { section: name, description, ...options })
    return schema
  }

export const secret = { isSecret: true } as const
