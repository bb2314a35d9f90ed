import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type DeploymentKind, deploymentKinds, recipeSteps } from '@kustos/contract/deployment'
import { message } from '@kustos/contract/messages'
import { z } from 'zod'
import { errorMessage } from '../platform/errors.ts'
import { StepFailure } from './failure.ts'

/** The placeholders in the commands of actions. A web may lack some of their values. */
const ofActions = [
  'fqdn',
  'customer',
  'deployment',
  'web',
  'repository',
  'clone_url',
  'sysuser',
  'node',
] as const
/** Requests have the forked repository as well, and `web` and `clone_url` once those exist. */
const ofRequests = [...ofActions, 'source'] as const

/** Of a web that is yet to be created. */
const ofNames = ['fqdn', 'sysuser'] as const

const placeholdersOf = (kind: DeploymentKind): readonly string[] =>
  kind === 'newWeb' ? ofRequests : ofActions

export type RecipeValues = { readonly [Name in (typeof ofRequests)[number]]?: string }

const placeholder = /\{([a-z_]+)\}/g

const argument = z.string().refine((text) => !text.includes('\u0000'), 'must not contain NUL')

const described = {
  name: z.string().min(1).max(80).optional(),
  /** Names it in every language, instead of `name`. */
  code: z.enum(Object.keys(recipeSteps) as (keyof typeof recipeSteps)[]).optional(),
  comment: z.string().optional(),
}

const commandArgv = z
  .tuple([argument.regex(/^[^-{}][^{}]*$/, 'must be the name of a program')], argument)
  .superRefine(refuseFilledScripts)

const builtinStep = z.strictObject({
  ...described,
  place: z.literal('builtin'),
  do: z.enum(['pre-flight', 'fork-repository', 'create-web', 'first-probe', 'finish-web']),
  /** The folders in which the pre-flight checks for free space; by default the working directory of commands. */
  folders: z.array(z.string().regex(/^[^-]/, 'must be folders')).min(1).optional(),
  /** Commands that succeed if the node has something by the names of a web that is yet to be created; the pre-flight then fails. */
  taken: z.array(commandArgv).optional(),
})

const commandStep = z.strictObject({
  ...described,
  place: z.literal('node'),
  argv: commandArgv,
  /** In seconds. */
  timeout: z
    .int()
    .min(1)
    .max(24 * 3600),
  /** `backup`: skipped if the request wants no backup. */
  only: z.literal('backup').optional(),
  /** For what other users, such as the web server, have to read; by default 077. */
  umask: z
    .string()
    .regex(/^0[0-7]{2}$/, 'must be three octal digits such as 022')
    .optional(),
})

const recipeStep = z
  .discriminatedUnion('place', [builtinStep, commandStep], { error: 'must be node or builtin' })
  .transform(({ name, ...step }, context) => {
    if (step.code !== undefined) return { ...step, name: name ?? recipeSteps[step.code] }
    if (name !== undefined) return { ...step, name }
    context.addIssue({ code: 'custom', path: ['name'], message: 'must be given, or a code' })
    return z.NEVER
  })
export type RecipeStep = z.output<typeof recipeStep>
export type BuiltinStep = Extract<RecipeStep, { readonly place: 'builtin' }>
export type CommandStep = Exclude<RecipeStep, BuiltinStep>
export type Recipe = readonly RecipeStep[]
/** Without the kinds that are not set up: a file may be older than a kind. */
export type Recipes = { readonly [Kind in DeploymentKind]?: Recipe | undefined }

const recipe = z
  .array(recipeStep)
  .min(1)
  .refine(
    ([first]) => first?.place === 'builtin' && first.do === 'pre-flight',
    'must start with the pre-flight',
  )

const recipes = z
  .strictObject({
    comment: z.string().optional(),
    ...(Object.fromEntries(deploymentKinds.map((kind) => [kind, recipe.optional()])) as Record<
      DeploymentKind,
      z.ZodOptional<typeof recipe>
    >),
  })
  .superRefine((all, context) => {
    for (const kind of deploymentKinds) {
      for (const [index, step] of (all[kind] ?? []).entries()) {
        const [field, argv, known]: [string, readonly string[], readonly string[]] =
          step.place === 'builtin'
            ? ['taken', (step.taken ?? []).flat(), ofNames]
            : ['argv', step.argv, placeholdersOf(kind)]
        const unknown = placeholdersIn(argv).find((name) => !known.includes(name))
        if (unknown !== undefined)
          context.addIssue({
            code: 'custom',
            path: [kind, index, field],
            message: `has no value for {${unknown}}; there are {${known.join('}, {')}}`,
          })
      }
    }
  })

/** A recipe may contain a constant script, but values must not be filled into one. */
function refuseFilledScripts(argv: readonly string[], context: z.RefinementCtx): void {
  const filled = argv.some(
    (element, index) => /^-[A-Za-z]*c$/.test(argv[index - 1] ?? '') && placeholdersIn([element]).length > 0,
  )
  if (filled)
    context.addIssue({
      code: 'custom',
      message: 'must not fill a value into a script: give it as an argument',
    })
}

function placeholdersIn(argv: readonly string[]): string[] {
  return argv.flatMap((element) => [...element.matchAll(placeholder)].map(([, name = '']) => name))
}

const shipped = fileURLToPath(new URL('plesk.json', import.meta.url))

/**
 * Reads the recipes. A kind that the file lacks is not set up.
 * @param path undefined for the shipped recipes, which are for Plesk nodes
 * @throws Error whose message names the file, the kind and the step
 */
export async function readRecipes(path: string | undefined): Promise<Recipes> {
  const file = path ?? shipped
  let content: unknown
  try {
    content = JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    throw new Error(`The recipes in ${file} cannot be read: ${errorMessage(cause)}`, { cause })
  }
  const parsed = recipes.safeParse(content)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`The recipes in ${file} are wrong: ${placeOf(issue?.path ?? [])} ${issue?.message}.`)
}

/** Such as `newWeb, step 3, argv.1:`. */
function placeOf([kind, step, ...rest]: readonly PropertyKey[]): string {
  const parts = [
    kind === undefined ? 'the file' : String(kind),
    ...(step === undefined ? [] : [`step ${Number(step) + 1}`]),
    ...(rest.length === 0 ? [] : [rest.map(String).join('.')]),
  ]
  return `${parts.join(', ')}:`
}

/**
 * Fills in the placeholders of a command without ever splitting or joining arguments.
 * @throws StepFailure if a value is missing or a command could misread it
 */
export function fillArgv(argv: readonly [string, ...string[]], values: RecipeValues): [string, ...string[]] {
  const fill = (element: string) =>
    // In a replacement string `$&` would have a meaning.
    element.replace(placeholder, (_, name: keyof RecipeValues) => checkedValue(name, values[name]))
  const [command, ...rest] = argv
  return [command, ...rest.map(fill)]
}

/** Values that a command could take for an option, another line or another folder. */
const misread = /^-|[\p{Cc}\u2028\u2029]|(^|[/\\])\.\.?([/\\]|$)/u

function checkedValue(name: keyof RecipeValues, value: string | undefined): string {
  if (value === undefined || value === '')
    throw new StepFailure(message('step_value_missing', { name: `{${name}}` }))
  // Only the clone URL may contain slashes.
  if (misread.test(value) || (name !== 'clone_url' && /[/\\]/.test(value)))
    throw new StepFailure(message('step_value_unusable', { name: `{${name}}`, value: JSON.stringify(value) }))
  return value
}
