import { Refused } from './refused.ts'
import type { Kept } from './repositories.ts'

const fields: Readonly<Record<string, (one: Kept) => string>> = {
  name: (one) => one.slug,
  slug: (one) => one.slug,
  description: (one) => one.description,
  'project.key': (one) => one.project,
  created_on: (one) => one.created_on,
  updated_on: (one) => one.updated_on,
}

function fieldOf(name: string): (one: Kept) => string {
  const field = fields[name]
  if (field === undefined) throw new Refused(400, `Invalid field name: ${name}`)
  return field
}

/** `field = "value"`, `!=`, `~` (contains, in any case) and `!~`, joined by AND: as much of the language as is used. */
export function filtered(all: readonly Kept[], q: string | null): readonly Kept[] {
  if (q === null || q.trim() === '') return all
  const conditions = q.split(/\s+AND\s+/i).map((text) => {
    const [, name = '', operator, value = ''] = /^\s*([a-z_.]+)\s*(!?[=~])\s*"([^"]*)"\s*$/.exec(text) ?? []
    const field = fieldOf(name)
    const contains = (one: Kept) => field(one).toLowerCase().includes(value.toLowerCase())
    const equals = (one: Kept) => field(one) === value
    const holds = operator?.endsWith('~') ? contains : equals
    return operator?.startsWith('!') ? (one: Kept) => !holds(one) : holds
  })
  return all.filter((one) => conditions.every((holds) => holds(one)))
}

/** By exactly one field, a leading `-` for descending. */
export function sorted(all: readonly Kept[], sort: string | null): readonly Kept[] {
  if (sort === null) return all
  const field = fieldOf(sort.replace(/^-/, ''))
  const sign = sort.startsWith('-') ? -1 : 1
  return all.toSorted((a, b) => (field(a) < field(b) ? -sign : field(a) > field(b) ? sign : 0))
}

export interface Paged {
  readonly values: readonly Kept[]
  readonly size: number
  readonly page: number
  readonly pagelen: number
  /** Absent on the last page. */
  readonly next: string | null
}

/** @param address of the collection, for the next page; opaque to whoever follows it */
export function paged(all: readonly Kept[], query: URLSearchParams, address: string): Paged {
  const pagelen = Number(query.get('pagelen') ?? 10)
  if (!Number.isInteger(pagelen) || pagelen < 1 || pagelen > 100) throw new Refused(400, 'Invalid pagelen')
  const page = pageOf(query)
  const next = new URLSearchParams(query)
  next.delete('page')
  next.set('ctx', Buffer.from(JSON.stringify([page + 1])).toString('base64url'))
  return {
    values: all.slice((page - 1) * pagelen, page * pagelen),
    size: all.length,
    page,
    pagelen,
    next: page * pagelen < all.length ? `${address}?${next}` : null,
  }
}

function pageOf(query: URLSearchParams): number {
  const context = query.get('ctx')
  try {
    const page: unknown =
      context === null
        ? Number(query.get('page') ?? 1)
        : JSON.parse(String(Buffer.from(context, 'base64url')))[0]
    if (typeof page === 'number' && Number.isInteger(page) && page >= 1) return page
  } catch {
    // Made up by somebody.
  }
  throw new Refused(400, 'Invalid page')
}
