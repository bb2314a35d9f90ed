import { HttpError } from '../http-service.ts'
import type { Repository } from './repositories.ts'

type Field = (repository: Repository) => string

const fields: Readonly<Record<string, Field>> = {
  name: ({ slug }) => slug,
  slug: ({ slug }) => slug,
  description: ({ description }) => description,
  'project.key': ({ project }) => project,
  created_on: ({ created_on }) => created_on,
  updated_on: ({ updated_on }) => updated_on,
}

function findField(name: string): Field {
  const field = fields[name]
  if (field === undefined) throw new HttpError(400, `Invalid field name: ${name}`)
  return field
}

/** The part of Bitbucket's query language that is used: `=`, `!=`, `~` (contains, ignoring case), `!~` and AND. */
export function filterBy(q: string | null, all: readonly Repository[]): readonly Repository[] {
  if (q === null || q.trim() === '') return all
  const conditions = q.split(/\s+AND\s+/i).map((text) => {
    const [, name = '', operator = '', value = ''] =
      /^\s*([a-z_.]+)\s*(!?[=~])\s*"([^"]*)"\s*$/.exec(text) ?? []
    const field = findField(name)
    const matches = (one: Repository) =>
      operator.endsWith('~') ? field(one).toLowerCase().includes(value.toLowerCase()) : field(one) === value
    return (one: Repository) => matches(one) !== operator.startsWith('!')
  })
  return all.filter((one) => conditions.every((holds) => holds(one)))
}

/** Sorts by one field; a leading `-` means descending. */
export function sortBy(sort: string | null, all: readonly Repository[]): readonly Repository[] {
  if (sort === null) return all
  const field = findField(sort.replace(/^-/, ''))
  const sign = sort.startsWith('-') ? -1 : 1
  return all.toSorted((a, b) => (field(a) < field(b) ? -sign : field(a) > field(b) ? sign : 0))
}

/** @param address of the collection, which the address of the next page is derived from */
export function paginate(all: readonly Repository[], query: URLSearchParams, address: string) {
  const pagelen = Number(query.get('pagelen') ?? 10)
  if (!Number.isInteger(pagelen) || pagelen < 1 || pagelen > 100) throw new HttpError(400, 'Invalid pagelen')
  const page = readPage(query)
  const next = new URLSearchParams(query)
  next.delete('page')
  next.set('ctx', Buffer.from(String(page + 1)).toString('base64url'))
  return {
    values: all.slice((page - 1) * pagelen, page * pagelen),
    size: all.length,
    page,
    pagelen,
    next: page * pagelen < all.length ? `${address}?${next}` : null,
  }
}

function readPage(query: URLSearchParams): number {
  const context = query.get('ctx')
  const page = Number(
    context === null ? (query.get('page') ?? 1) : Buffer.from(context, 'base64url').toString(),
  )
  if (!Number.isInteger(page) || page < 1) throw new HttpError(400, 'Invalid page')
  return page
}
