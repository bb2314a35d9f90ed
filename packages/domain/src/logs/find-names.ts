import { customersRoutes } from '@kustos/contract/customers'
import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import type { Access } from '@kustos/contract/permissions'
import { can } from '@kustos/contract/permissions'
import { usersRoutes } from '@kustos/contract/users'
import { websRoutes } from '@kustos/contract/webs'
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'

/** Shorter words are parts of too many names. */
const minLength = 3

interface Source {
  readonly table: string
  /** What everybody who reads the log sees of the rows. */
  readonly names: readonly string[]
  /** What only users with this access see of them. */
  readonly more?: { readonly access: Access; readonly names: readonly string[] }
}

/** Names keep an umlaut in two parts if it was pasted like that, while the word that is searched for has it in one. */
const composed = (name: string) => `normalize(${name})`

/** The rows that entries are about, by the type of the subject. */
const sources: Readonly<Record<string, Source>> = {
  web: {
    table: 'webs',
    names: ['t.fqdn'],
    more: {
      access: websRoutes.listWebs.access,
      names: [composed('case when t.deleted_at is null then t.customer end')],
    },
  },
  user: {
    table: 'users',
    names: ['t.email'],
    more: { access: usersRoutes.listUsers.access, names: [composed('t.name')] },
  },
  role: { table: 'roles', names: [composed('t.name')] },
  node: { table: 'nodes', names: [composed('t.name')] },
  external_domain: {
    table: 'external_domains',
    names: ['t.fqdn'],
    more: { access: externalDomainsRoutes.listExternalDomains.access, names: [composed('t.customer')] },
  },
  customer: {
    table: 'customers',
    names: [composed('t.code')],
    more: {
      access: customersRoutes.listCustomers.access,
      names: [composed('t.name'), composed(`array_to_string(t.spellings, ' ')`)],
    },
  },
}

/** Rows whose names contain a word. */
export interface NamedRows extends Record<string, unknown> {
  /** The type of the subject. */
  readonly type: string
  readonly ids: readonly number[]
  /** Whether the word is the whole name of one of them. */
  readonly whole: boolean
}

/** The rows whose names contain each of the words, whatever their case, as far as the user may see those names. */
export async function findNames(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  words: readonly string[],
): Promise<readonly (readonly NamedRows[])[]> {
  if (words.every((word) => word.length < minLength)) return words.map(() => [])
  const selects = Object.entries(sources).map(([type, { table, names, more }]): SQL => {
    const visible = [...names, ...(more && can(actor, more.access) ? more.names : [])]
    const matches = visible.map((name) => `strpos(lower(${name}), w.word) > 0`).join(' or ')
    const equals = visible.map((name) => `lower(${name}) = w.word`).join(' or ')
    return sql.raw(`select w.position, '${type}' as type, array_agg(t.id) as ids, coalesce(bool_or(${equals}), false) as whole
      from words w join ${table} t on ${matches} group by 1`)
  })
  const { rows } = await db.execute<NamedRows & { position: number }>(sql`
    with words as (
      select lower(word) as word, position::int as position
      from unnest(${sql.param(words)}::text[]) with ordinality given (word, position)
      where length(word) >= ${minLength}
    ) ${sql.join(selects, sql` union all `)}`)
  return words.map((_, index) => rows.filter(({ position }) => position === index + 1))
}
