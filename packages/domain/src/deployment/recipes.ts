import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type DeploymentKind, deploymentKinds } from '@kustos/contract/deployment'
import { z } from 'zod'
import { reasonOf } from '../errors.ts'
import { StepFailure } from './failure.ts'

/** What an action knows of its web, to fill into a command; of some webs not all is known. */
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
/** A request knows the repository that it forks too; its web and its clone URL once they have been made. */
const ofRequests = [...ofActions, 'source'] as const

const placeholdersOf = (kind: DeploymentKind): readonly string[] =>
  kind === 'newWeb' ? ofRequests : ofActions

export type RecipeValues = { readonly [Name in (typeof ofRequests)[number]]?: string }

const placeholder = /\{([a-z_]+)\}/g

const argument = z.string().refine((text) => !text.includes('\u0000'), 'must not contain NUL')

const described = { name: z.string().min(1).max(80), comment: z.string().optional() }

const builtinStep = z.strictObject({
  ...described,
  place: z.literal('builtin'),
  do: z.enum(['pre-flight', 'fork-repository', 'create-web', 'first-probe', 'finish-web']),
  /** For the pre-flight: where the node has to have room; the folder that commands start in unless told otherwise. */
  folders: z.array(z.string().regex(/^[^-]/, 'must be folders')).min(1).optional(),
})
export type BuiltinStep = z.output<typeof builtinStep>

const commandStep = z.strictObject({
  ...described,
  place: z.enum(['controller', 'node']),
  argv: z
    .tuple([argument.regex(/^[^-{}][^{}]*$/, 'must be the name of a program')], argument)
    .superRefine(refuseFilledScripts),
  /** In seconds. */
  timeout: z
    .int()
    .min(1)
    .max(24 * 3600),
  /** `backup`: left out where the request wants no backup. */
  only: z.literal('backup').optional(),
})

const recipeStep = z.discriminatedUnion('place', [builtinStep, commandStep])
export type CommandStep = z.output<typeof commandStep>
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

const recipes = z
  .strictObject({
    /** About all of them. */
    comment: z.string().optional(),
    ...(Object.fromEntries(deploymentKinds.map((kind) => [kind, recipe])) as Record<
      DeploymentKind,
      typeof recipe
    >),
  })
  .superRefine((all, context) => {
    for (const kind of deploymentKinds) {
      const known = placeholdersOf(kind)
      for (const [index, step] of all[kind].entries()) {
        if (step.place === 'builtin') continue
        const unknown = placeholdersIn(step.argv).find((name) => !known.includes(name))
        if (unknown !== undefined)
          context.addIssue({
            code: 'custom',
            path: [kind, index, 'argv'],
            message: `has no value for {${unknown}}; there are {${known.join('}, {')}}`,
          })
      }
    }
  })

/** A recipe may run a constant script of its own, but what is filled in must not become a part of one. */
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
    throw new Error(`The recipes in ${file} cannot be read: ${reasonOf(cause)}`, { cause })
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
 * Fills a command's placeholders. One element stays one element, whatever the values hold.
 * @throws StepFailure for a value that is missing or that a command could misread
 */
export function fillArgv(argv: readonly [string, ...string[]], values: RecipeValues): [string, ...string[]] {
  const fill = (element: string) =>
    // A function, since in a text `$&` and its like would have a meaning.
    element.replace(placeholder, (_, name: keyof RecipeValues) => checkedValue(name, values[name]))
  const [command, ...rest] = argv
  return [command, ...rest.map(fill)]
}

/** What stands for an option, another line or another folder wherever it is put. */
const misread = /^-|[\p{Cc}\u2028\u2029]|(^|[/\\])\.\.?([/\\]|$)/u

function checkedValue(name: keyof RecipeValues, value: string | undefined): string {
  if (value === undefined || value === '')
    throw new StepFailure(`This step needs to know {${name}}, which is not known of this web.`)
  // Of all that is filled in, addresses alone are more than a part of a path.
  if (misread.test(value) || (name !== 'clone_url' && /[/\\]/.test(value)))
    throw new StepFailure(`{${name}} is no value for a command: ${JSON.stringify(value)}.`)
  return value
}
