import { createHash } from 'node:crypto'
import { can } from '@kustos/contract/permissions'
import { type Category, type Web, websRoutes } from '@kustos/contract/webs'
import { copyJsonRows, inSnapshot } from '@kustos/database/bytes'
import { type OpenDatabase, prepared } from '@kustos/database/client'
import { categories, revisions, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { forbidden, notFound } from '../errors.ts'
import { presentWeb, websJsonQuery } from './present.ts'

export type Which = 'living' | 'deleted'

/** The list as JSON bytes (contract: `webList`), and the revision that it shows. */
export interface WebListBytes {
  readonly revision: string
  readonly body: Buffer
}

/** Where lists come from beside the database. */
export interface WebListSettings {
  /** The part of a host name that marks the operator's own; empty for none. */
  readonly internalMarker: string
}

/** Tells lists apart that do not come of the rows: a release that adds a field, or another marker, must not be answered with 304. */
const shapeOf = ({ internalMarker }: WebListSettings) =>
  createHash('sha256')
    .update(`${internalMarker} ${websJsonQuery('living')}`)
    .digest('base64url')
    .slice(0, 6)

const revisionOf = (revision: unknown, settings: WebListSettings) => `${revision}.${shapeOf(settings)}`

const currentRevision = prepared((db) =>
  db
    .select({ revision: revisions.revision })
    .from(revisions)
    .where(eq(revisions.list, 'webs'))
    .prepare('webs_revision'),
)

/** The list's revision now. Equal revisions mean equal lists. */
export async function webListRevision(context: Context, settings: WebListSettings): Promise<string> {
  const [row] = await currentRevision(context.db).execute()
  return revisionOf(row?.revision, settings)
}

/** Deleted webs are for those who may restore them. */
export function mayList(context: Context, which: Which): void {
  if (which === 'deleted' && !can(context.actor, websRoutes.restoreWeb.access)) {
    throw forbidden('Deleted webs are shown to those who may restore them.')
  }
}

/** Reads the list as one moment of the database has it. */
export const readWebList = (
  database: OpenDatabase,
  which: Which,
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
    const pieces: Buffer[] = [Buffer.from('{"data":[')]
    for await (const piece of copyJsonRows(client, websJsonQuery(which))) {
      if (pieces.length > 1) pieces.push(comma)
      pieces.push(piece)
    }
    pieces.push(Buffer.from(`],${facts.offers.slice(1)}`))
    return { revision: revisionOf(facts.revision, settings), body: Buffer.concat(pieces) }
  })

const comma = Buffer.from(',')

/**
 * Hands over the rows of the living webs as they come from the database: their JSON (contract: `web`) joined by commas, in
 * pieces of whole rows, in memory that may be given away.
 * @param tracking whether with their tracking data, or with null in its place
 */
export const readWebRows = (
  database: OpenDatabase,
  tracking: boolean,
  take: (piece: Uint8Array<ArrayBuffer>) => void,
): Promise<void> =>
  inSnapshot(database.pool, async (client) => {
    for await (const piece of copyJsonRows(client, websJsonQuery('living', tracking))) take(piece)
  })

/** @throws DomainError not-found, also for a deleted web */
export async function readWeb(context: Context, id: number): Promise<Web> {
  const [living] = await context.db
    .select({ id: webs.id })
    .from(webs)
    .where(and(eq(webs.id, id), isNull(webs.deleted_at)))
  const web = living && (await presentWeb(context.db, id))
  if (!web) throw notFound(`Web ${id}`)
  return web
}

export const listCategories = (context: Context): Promise<Category[]> =>
  context.db.select({ id: categories.id, name: categories.name }).from(categories).orderBy(categories.name)
