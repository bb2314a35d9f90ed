import type { TrackingTopic } from '@kustos/contract/tracking'
import { trackingServices } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { webs, webThirdParties } from '@kustos/database/tables'
import { partyOf } from '@kustos/domain/third-parties'
import { eq, isNotNull } from 'drizzle-orm'

type Row = typeof webThirdParties.$inferInsert
type Seen = Pick<Row, 'host' | 'entity' | 'category' | 'topic'>

/** What webs load besides trackers, and which share of them does: every so many. */
const others: readonly (readonly [every: number, seen: Seen])[] = [
  [3, { host: 'fonts.googleapis.com', entity: 'Google Fonts', category: 'fonts' }],
  [4, { host: 'cdn.jsdelivr.net', entity: 'JSDelivr CDN', category: 'cdn' }],
  [5, { host: 'www.youtube.com', entity: 'YouTube', category: 'embedded_media' }],
  [7, { host: 'widget.gaestestimmen.test', entity: '', category: 'unknown' }],
  [9, { host: 'static.hotjar.com', entity: 'Hotjar', category: 'session_replay' }],
]

/** Stores what the trackers of the webs are loaded from, as the reading of their pages found it. */
export async function seedThirdParties(db: Transaction, now: Date): Promise<void> {
  const rows = await db
    .select({ id: webs.id, tracking: webs.tracking_data })
    .from(webs)
    .where(isNotNull(webs.tracking_data))
  for (const { id, tracking } of rows) {
    if (tracking === null) continue
    const ofServices = trackingServices.flatMap((name) =>
      tracking.tracking_services[name].flatMap(({ domain }) => trackerAt(domain, name)),
    )
    const ofOthers = others.flatMap(([every, seen]) => (id % every === 0 ? [seen] : []))
    const loaded = [
      ...ofServices,
      ...(tracking.gtm ? trackerAt(tracking.gtm.domain, 'gtm') : []),
      ...ofOthers,
    ]
    const stored = new Map(
      loaded.map((seen) => [
        `${seen.host} ${seen.entity}`,
        { ...seen, web_id: id, phase: 'static', is_denied: false, first_seen: now, last_seen: now },
      ]),
    )
    if (stored.size === 0) continue
    await db.insert(webThirdParties).values([...stored.values()])
    const names = new Set(loaded.flatMap(({ host, entity }) => (entity === '' ? [host] : [host, entity])))
    await db
      .update(webs)
      .set({ tracking_data: { ...tracking, third_parties: [...names].sort() } })
      .where(eq(webs.id, id))
  }
}

function trackerAt(host: string, topic: TrackingTopic): readonly Seen[] {
  const { entity = '', category } = partyOf(topic, {})
  return category === undefined || host === '' ? [] : [{ host, entity, category, topic }]
}
