import { z } from 'zod'
import { BitbucketError, type BitbucketRepository } from './bitbucket.ts'

// Bitbucket Cloud REST 2.0 as its OpenAPI description has it (https://api.bitbucket.org/swagger.json). The description
// promises little, so that only what Kustos cannot do without is required.

/** Never anything that a browser would run when it is shown as a link. */
const address = z.url({ protocol: /^https?$/ })

const repository = z
  .object({
    // Always there in practice, though the description does not list it.
    slug: z.string().min(1).optional(),
    full_name: z.string().regex(/^[^/]+\/[^/]+$/),
    description: z.string().nullish(),
    fork_policy: z.string().nullish(),
    project: z.object({ key: z.string(), name: z.string() }).nullish(),
    parent: z.object({ full_name: z.string() }).nullish(),
    created_on: z.iso.datetime({ offset: true }),
    updated_on: z.iso.datetime({ offset: true }),
    links: z.object({
      html: z.object({ href: address }),
      clone: z.array(z.object({ name: z.string(), href: z.string() })).optional(),
    }),
  })
  .transform(
    (answer): BitbucketRepository => ({
      name: answer.slug ?? answer.full_name.slice(answer.full_name.indexOf('/') + 1),
      project: answer.project ?? { key: '', name: '' },
      description: answer.description ?? '',
      fork_policy: answer.fork_policy ?? null,
      html_url: answer.links.html.href,
      clone_url: cloneAddress(answer.links),
      parent: answer.parent?.full_name ?? null,
      created_on: new Date(answer.created_on),
      updated_on: new Date(answer.updated_on),
    }),
  )

/** Bitbucket puts the asking user's name into it, which would follow the address to wherever it is used. */
function cloneAddress({
  html,
  clone = [],
}: {
  html: { href: string }
  clone?: { name: string; href: string }[] | undefined
}): string {
  const given = clone.find(({ name }) => name === 'https')?.href
  const url = new URL(given !== undefined && URL.canParse(given) ? given : `${html.href}.git`)
  url.username = ''
  url.password = ''
  return url.href
}

const page = z.object({ values: z.array(repository), next: z.string().optional() })
export type Page = z.output<typeof page>

/** What a repository is asked for with; everything else of it, most of it links, stays away. */
export const repositoryFields = [
  'slug',
  'full_name',
  'description',
  'fork_policy',
  'project.key',
  'project.name',
  'parent.full_name',
  'created_on',
  'updated_on',
  'links.html',
  'links.clone',
] as const

export const readRepository = (answer: unknown): BitbucketRepository => read(repository, answer)
export const readPage = (answer: unknown): Page => read(page, answer)

function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') || 'answer'
  throw new BitbucketError(
    200,
    `Bitbucket answered something that Kustos cannot read (${where}: ${issue?.message}).`,
  )
}

const failure = z.object({
  error: z.object({ message: z.string(), fields: z.record(z.string(), z.unknown()).optional() }),
})

/** Why Bitbucket refuses, in its own words: of its error envelope, or of a gateway's plain text; '' where it says nothing. */
export function reasonIn(body: string): string {
  const text = messageIn(body) ?? (/^\s*[<{[]/.test(body) ? '' : body)
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]+$/, '')
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}

function messageIn(body: string): string | null {
  try {
    return failure.parse(JSON.parse(body)).error.message
  } catch {
    // A gateway's own page or sentence.
    return null
  }
}
