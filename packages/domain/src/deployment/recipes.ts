import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type DeploymentKind, deploymentKinds } from '@kustos/contract/deployment'
import { z } from 'zod'
import { StepFailure } from './failure.ts'

/** What each kind knows of itself to fill into a command. */
const placeholders = [
  'fqdn',
  'customer',
  'deployment',
  'web',
  'repository',
  'clone_url',
  'source',
  'sysuser',
  'node',
] as const
export type RecipeValues = { readonly [Name in (typeof placeholders)[number]]?: string }

const placeholder = /\{([a-z_]+)\}/g

const argument = z
  .string()
  .refine((text) => !text.includes('\u0000'), 'must not contain NUL')
  .superRefine((text, context) => {
    for (const [, name = ''] of text.matchAll(placeholder)) {
      if (!placeholders.some((known) => known === name))
        context.addIssue({ code: 'custom', message: `knows no placeholder {${name}}` })
    }
  })

const described = { name: z.string().min(1).max(80), comment: z.string().optional() }

const builtinStep = z.strictObject({
  ...described,
  place: z.literal('builtin'),
  do: z.enum(['pre-flight', 'fork-repository', 'create-web', 'first-probe', 'finish-web']),
})
export type BuiltinStep = z.output<typeof builtinStep>

const commandStep = z.strictObject({
  ...described,
  place: z.enum(['controller', 'node']),
  argv: z.tuple([argument.min(1)], argument),
  /** In seconds. */
  timeout: z
    .int()
    .min(1)
    .max(24 * 3600),
  /** `backup`: left out where the request wants no backup. */
  only: z.literal('backup').optional(),
})

const recipeStep = z.discriminatedUnion('place', [builtinStep, commandStep])
export type RecipeStep = z.output<typeof recipeStep>
export type Recipe = readonly RecipeStep[]
export type Recipes = Readonly<Record<DeploymentKind, Recipe>>

const recipe = z
  .array(recipeStep)
  .min(1)
  .refine(
    ([first]) => first?.place === 'builtin' && first.do === 'pre-flight',
    'must start with the pre-flight',
  )

const recipes = z.record(z.enum(deploymentKinds), recipe)

const shipped = fileURLToPath(new URL('plesk.json', import.meta.url))

/**
 * Reads the recipes of all kinds.
 * @param path the shipped ones for Plesk nodes where it is undefined
 * @throws Error with a sentence that names the file, the kind and the step
 */
export async function readRecipes(path: string | undefined): Promise<Recipes> {
  const file = path ?? shipped
  let content: unknown
  try {
    content = JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The recipes in ${file} cannot be read: ${reason}`, { cause })
  }
  const parsed = recipes.safeParse(content)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const [kind, step, ...rest] = issue?.path ?? []
  const where = [kind, step !== undefined && `step ${Number(step) + 1}`, rest.length > 0 && rest.join('.')]
  throw new Error(`The recipes in ${file} are wrong: ${where.filter(Boolean).join(', ')} ${issue?.message}.`)
}

/**
 * Fills a command's placeholders. One element stays one element, whatever the values hold.
 * @throws StepFailure for a value that is missing or that a command could misread
 */
export function fillArgv(argv: readonly [string, ...string[]], values: RecipeValues): [string, ...string[]] {
  const fill = (element: string) =>
    element.replace(placeholder, (_, name: keyof RecipeValues) => {
      const value = values[name]
      if (value === undefined || value === '')
        throw new StepFailure(`This step needs to know {${name}}, which is not known of this web.`)
      if (/^-|\p{Cc}|(^|\/)\.\.(\/|$)/u.test(value))
        throw new StepFailure(`{${name}} is no value for a command: ${JSON.stringify(value)}.`)
      return value
    })
  const [command, ...rest] = argv
  return [fill(command), ...rest.map(fill)]
}
