import { createHash } from 'node:crypto'
import { can } from '@kustos/contract/permissions'
import { type Category, type Web, websRoutes } from '@kustos/contract/webs'
import { cachePreparedQuery, type OpenDatabase } from '@kustos/database/client'
import { copyJsonRows, inSnapshot, readJsonRows } from '@kustos/database/json-rows'
import { categories, revisions, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { forbidden, notFound } from '../platform/errors.ts'
import { presentWeb, webFields, websJsonQuery } from './web-json.ts'

export type WebScope = 'active' | 'deleted'

/** As an object for each web, or as a table (contract: `tableType`) with or without the tracking data. */
export type WebListForm = keyof typeof queryOptions

const queryOptions = {
  objects: {},
  table: { asArrays: true, includeTracking: false },
  trackingTable: { asArrays: true },
} as const

/** The list as JSON (contract: `webList`), and its revision. */
export interface WebListBytes {
  readonly revision: string
  readonly body: Buffer
}

export interface WebListSettings {
  /** The part of a host name that marks the operator's own; empty for none. */
  readonly internalMarker: string
}

/** Part of the revision, since another form, or a release with another field or marker, must not be answered with 304. */
const shapeOf = ({ internalMarker }: WebListSettings, form: WebListForm) =>
  createHash('sha256')
    .update(`${internalMarker} ${websJsonQuery('active', queryOptions[form])}`)
    .digest('base64url')
    .slice(0, 6)

const revisionOf = (revision: unknown, settings: WebListSettings, form: WebListForm) =>
  `${revision}.${shapeOf(settings, form)}`

const currentRevision = cachePreparedQuery((db) =>
  db
    .select({ revision: revisions.revision })
    .from(revisions)
    .where(eq(revisions.list, 'webs'))
    .prepare('webs_revision'),
)

/** The current revision of the list. Equal revisions mean equal lists. */
export async function webListRevision(
  context: Context,
  form: WebListForm,
  settings: WebListSettings,
): Promise<string> {
  const [row] = await currentRevision(context.db).execute()
  return revisionOf(row?.revision, settings, form)
}

/** @throws DomainError forbidden for deleted webs, which only those may list who may restore them */
export function assertCanList(context: Context, scope: WebScope): void {
  if (scope === 'deleted' && !can(context.actor, websRoutes.restoreWeb.access)) {
    throw forbidden('deleted_webs_hidden')
  }
}

/** Reads the list in one snapshot. */
export const readWebList = (
  database: OpenDatabase,
  scope: WebScope,
  form: WebListForm,
  settings: WebListSettings,
): Promise<WebListBytes> =>
  inSnapshot(database.pool, async (client) => {
    const {
      rows: [facts],
    } = await client.query<{ revision: string; offers: string }>(
      `
      select (select revision from revisions where list = 'webs') as revision,
        json_build_object(
          'nodes', coalesce((select json_agg(json_build_object(
            'name', name, 'plesk_fqdn', plesk_fqdn, 'cloud_enabled', cloud_enabled) order by name) from nodes), '[]'),
          'categories', coalesce((select json_agg(json_build_object('id', id, 'name', name) order by name)
            from categories), '[]'),
          'internal_marker', $1::text)::text as offers`,
      [settings.internalMarker],
    )
    if (!facts) throw new Error('The revision of the webs is missing')
    const start = form === 'objects' ? '{"data":[' : `{"fields":${JSON.stringify(webFields)},"rows":[`
    const query = websJsonQuery(scope, queryOptions[form])
    const last = lastBytes.get(query) ?? 0
    const body = await readJsonRows(
      client,
      query,
      [start, `],${facts.offers.slice(1)}`],
      Math.ceil(last * 1.02),
    )
    lastBytes.set(query, body.length)
    return { revision: revisionOf(facts.revision, settings, form), body }
  })

/** By query. The next list will be about as long. */
const lastBytes = new Map<string, number>()

/**
 * Streams webs: their JSON (contract: `web`) joined by commas, in chunks of whole rows whose
 * memory may be transferred.
 * @param options the tracking data is null unless it is included
 */
export const readWebRows = (
  database: OpenDatabase,
  {
    scope = 'active',
    ...options
  }: { readonly scope?: WebScope | 'violating'; readonly includeTracking: boolean },
  take: (piece: Uint8Array<ArrayBuffer>) => void,
): Promise<void> =>
  inSnapshot(database.pool, (client) => copyJsonRows(client, websJsonQuery(scope, options), take))

/** @throws DomainError not-found, also for a deleted web */
export async function readWeb(context: Context, id: number): Promise<Web> {
  const [active] = await context.db
    .select({ id: webs.id })
    .from(webs)
    .where(and(eq(webs.id, id), isNull(webs.deleted_at)))
  const web = active && (await presentWeb(context.db, id))
  if (!web) throw notFound('web_not_found', { id })
  return web
}

export const listCategories = (context: Context): Promise<Category[]> =>
  context.db.select({ id: categories.id, name: categories.name }).from(categories).orderBy(categories.name)
