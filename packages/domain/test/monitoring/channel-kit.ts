import type { NewAlertChannel } from '@kustos/contract/alert-channels'
import {
  alertChannelStates,
  alertChannels,
  alerts,
  channelIncidents,
  incidents,
  webs,
} from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { asc, eq } from 'drizzle-orm'
import { sealSecrets } from '../../src/alert-channels/secrets.ts'
import { openAlertSender, writeAlerts } from '../../src/monitoring/alerts/index.ts'
import { createSecretBox } from '../../src/platform/secret-box.ts'
import { openAlerting } from './alert-environment.ts'

type Kind = NewAlertChannel['kind']

/** Functions that add channels of the console, and send what waits for them to a server on loopback, as workers would. */
export async function openChannels(database: TestDatabase) {
  const { db } = database
  const alerting = await openAlerting(database)
  const { tools, context, slack, slackUrl } = alerting
  const box = createSecretBox([Buffer.alloc(32, 7)])
  const sender = openAlertSender(tools)
  const signal = new AbortController().signal

  async function addChannel(
    kind: Kind,
    more: Partial<typeof alertChannels.$inferInsert> = {},
  ): Promise<number> {
    const [row] = await db
      .insert(alertChannels)
      .values({ name: `${kind} ${more.default_for ?? ''}`, kind, settings: {}, ...more })
      .returning()
    if (!row) throw new Error('The channel was not inserted')
    const url = new URL(`/${kind}`, slackUrl).href
    const secrets = sealSecrets(box, row.id, { url, key: `whsec_${'A'.repeat(32)}` }, 'key')
    await db.update(alertChannels).set({ secrets }).where(eq(alertChannels.id, row.id))
    return row.id
  }

  /** Writes an alert about incidents to channels. */
  const write = (title: string, to: readonly number[], about: readonly number[] = []) =>
    writeAlerts(
      db,
      [{ content: { title, lines: [] }, channels: [], to, incidents: about }],
      tools,
      alerting.now(),
    )

  const waiting = async () => {
    const rows = await db.select().from(alerts).orderBy(asc(alerts.id))
    return rows.filter((row) => row.sent_at === null && row.failed_at === null)
  }
  const isHead = (all: readonly (typeof alerts.$inferSelect)[], one: typeof alerts.$inferSelect) =>
    !all.some(
      (other) => other.channel_id === one.channel_id && other.channel === one.channel && other.id < one.id,
    )

  /** Lets each stream send what it can. */
  async function run(): Promise<void> {
    const stuck = new Set<number>()
    for (;;) {
      const all = await waiting()
      const next = all.find((one) => isHead(all, one) && !stuck.has(one.id))
      if (next === undefined) return
      const outcome = await sender(context, next.id, signal)
      if (typeof outcome === 'object' && 'retryInMs' in outcome) stuck.add(next.id)
    }
  }

  const fail = (status = 503) => {
    slack.usual = { status, body: 'down' }
  }
  const recover = () => {
    slack.usual = { status: 202, body: 'ok' }
  }
  const posted = (kind: Kind) => slack.posted.filter(({ path }) => path === `/${kind}`)
  const titlesTo = (kind: Kind) =>
    posted(kind).map(({ body }) => (body.data as { title: string } | undefined)?.title)

  async function addIncident(fqdn: string, endedAt: Date | null = null): Promise<number> {
    const [web] = await db
      .insert(webs)
      .values({ fqdn, fqdn_ascii: fqdn, customer: 'ALPEN', configured_ip: '192.0.2.7' })
      .returning()
    const at = alerting.now()
    const [row] = await db
      .insert(incidents)
      .values({
        web_id: web?.id ?? 0,
        started_at: at,
        ended_at: endedAt,
        last_failed_at: at,
        watched_until: at,
        reason: 'timed out',
      })
      .returning()
    return row?.id ?? 0
  }
  const endIncident = (id: number) =>
    db.update(incidents).set({ ended_at: alerting.now() }).where(eq(incidents.id, id))

  /** Lets the database refuse the next row of a table, as if another process wrote it at the same moment. */
  const failNextInsert = (table: 'channel_incidents' | 'channel_warnings') =>
    database.owner.pool.query(`
      create sequence inserts;
      create function fail_first_insert() returns trigger language plpgsql security definer as $$
      begin
        if nextval('inserts') = 1 then raise exception 'conflict' using errcode = '40001'; end if;
        return new;
      end $$;
      create trigger fail_first_insert before insert on ${table} for each row execute function fail_first_insert()`)

  /** Deletes all channels, alerts and incidents, and forgets what was sent. */
  async function reset(): Promise<void> {
    for (const table of [alerts, channelIncidents, alertChannelStates, alertChannels, incidents, webs])
      await database.owner.db.delete(table)
    alerting.reset()
  }

  return {
    alerting,
    box,
    addChannel,
    write,
    waiting,
    run,
    fail,
    recover,
    posted,
    titlesTo,
    addIncident,
    endIncident,
    failNextInsert,
    reset,
  }
}
