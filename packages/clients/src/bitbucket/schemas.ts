import { z } from 'zod'
import type { BitbucketRepository } from './bitbucket.ts'

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
