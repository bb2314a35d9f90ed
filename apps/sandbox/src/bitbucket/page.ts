import { escaped } from '../html.ts'
import type { Kept } from './repositories.ts'

/** Where a repository's link in the console leads: a page that a person can read. */
export const page = (kept: Kept, clone: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${escaped(kept.slug)}</title>
  </head>
  <body>
    <h1>${escaped(kept.slug)}</h1>
    <p>${escaped(kept.description)}</p>
    <p>${kept.parent === null ? 'Not a fork.' : `Forked from ${escaped(kept.parent)}.`}</p>
    <pre>git clone ${escaped(clone)}</pre>
  </body>
</html>
`
