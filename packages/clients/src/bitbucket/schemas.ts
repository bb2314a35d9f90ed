import { z } from 'zod'

// Bitbucket Cloud REST 2.0, https://api.bitbucket.org/swagger.json. The description guarantees little, so only what Kustos
// cannot do without is required.

/** Shown as a link, so never a `javascript:` address. */
const address = z.url({ protocol: /^https?$/ })

export const repository = z
  .object({
    // Missing in the description, but always there in practice.
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
  .transform((row) => ({
    /** The slug. */
    name: row.slug ?? row.full_name.slice(row.full_name.indexOf('/') + 1),
    project: row.project ?? { key: '', name: '' },
    description: row.description ?? '',
    fork_policy: row.fork_policy ?? null,
    html_url: row.links.html.href,
    /** For git over HTTPS, without credentials. */
    clone_url: cloneAddress(row.links),
    /** The full name (`workspace/slug`) of the repository that it was forked from. */
    parent: row.parent?.full_name ?? null,
    created_on: new Date(row.created_on),
    updated_on: new Date(row.updated_on),
  }))
export type BitbucketRepository = Readonly<z.output<typeof repository>>

interface Links {
  html: { href: string }
  clone?: { name: string; href: string }[] | undefined
}

/** Without the user name that Bitbucket puts into the address. */
function cloneAddress({ html, clone = [] }: Links): string {
  const given = clone.find(({ name }) => name === 'https')?.href
  const url = new URL(given !== undefined && URL.canParse(given) ? given : `${html.href}.git`)
  url.username = ''
  url.password = ''
  return url.href
}

export const page = z.object({ values: z.array(repository), next: z.string().optional() })

/** Requested fields; without the selection most of a response would be links. */
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

export const failure = z.object({ error: z.object({ message: z.string() }) })
