import type { EvaluatedList } from '@kustos/contract/views'
import type { OpenDatabase } from '@kustos/database/client'
import { createContext } from '@kustos/domain/platform/context'
import { notifySubscribers } from '@kustos/domain/subscriptions'
import { withApi } from '../api.ts'
import { median } from '../median.ts'

/** Measures the job that notifies users of rows that enter a view: 40 views of 10,000 webs, each followed by 25 users. */
const webs = Number(process.env.KUSTOS_SANDBOX_WEBS ?? 10_000)
const followers = 25
const rounds = 3
const queries: readonly (readonly [EvaluatedList, string])[] = Array.from({ length: 40 }, (_, index) => {
  if (index % 8 === 5) return ['monitoring', `f.id=${encodeURIComponent('>')}:${index}`]
  if (index % 8 === 6) return ['tracking', `f.id=${encodeURIComponent('>')}:${index}`]
  if (index % 8 === 7) return ['customers', `f.webs=${encodeURIComponent('>')}:${index}`]
  return [
    'webs',
    [`f.fqdn=contains:${index}`, 'q=alpen&sort=-id', 'f.framework=contains:TYPO3', ''][index % 4] ?? '',
  ]
})

await withApi(webs, async ({ database }) => {
  await followViews(database)
  let now = Date.now()
  const evaluate = async () => {
    now += 60_000
    const mail = { publicUrl: 'https://kustos.test', enqueue: async () => undefined }
    const context = { ...createContext(database, null, () => new Date(now)), mail }
    const settings = { intervalSeconds: 60, internalMarker: '' }
    return notifySubscribers(context, settings, new AbortController().signal)
  }
  /** Forgets that rows are in the views, so that they enter. */
  const forget = async (condition: string) => {
    await database.pool.query(
      `delete from view_rows where row_key in (select id::text from webs where ${condition})`,
    )
    await database.pool.query("update view_evaluations set digest = 'other'")
  }
  console.log(`${queries.length} views of ${webs} webs, ${followers} followers each, ${rounds} rounds\n`)
  await measure('the first evaluation', async () => {
    await database.pool.query('delete from view_evaluations')
  })
  await measure('nothing has changed', async () => undefined)
  await measure('one web enters', () => forget('id = 7'))
  await measure('a hundred webs enter', () => forget('id <= 100'))
  await measure('all webs enter', () => forget('true'))

  async function measure(name: string, prepare: () => Promise<unknown>): Promise<void> {
    const times: number[] = []
    const cpu: number[] = []
    let entries = 0
    for (let round = -1; round < rounds; round++) {
      await prepare()
      const started = performance.now()
      const before = process.cpuUsage()
      entries = (await evaluate())?.entries ?? 0
      const { user, system } = process.cpuUsage(before)
      if (round < 0) continue
      times.push(performance.now() - started)
      cpu.push((user + system) / 1000)
    }
    const figures = [median(times), Math.max(...times), median(cpu)].map(
      (ms) => `${ms.toFixed(0).padStart(6)} ms`,
    )
    console.log(
      `${name.padEnd(24)}${figures[0]}, slowest${figures[1]}, CPU${figures[2]}, ${entries} rows entered`,
    )
  }
})

async function followViews({ pool }: OpenDatabase): Promise<void> {
  await pool.query(
    `with people as (
      insert into users (email, name, password_hash)
      select 'follower' || i || '@kustos.test', 'Follower', '' from generate_series(1, $1::int) i returning id
    ) insert into user_roles (user_id, role_id)
      select people.id, roles.id from people, roles where roles.name = 'admin'`,
    [followers],
  )
  await pool.query(
    `insert into views (owner_id, list, name, query, column_order, column_widths, audience)
    select (select max(id) from users), list, 'View ' || i, query, '{}', '{}', 'everyone'
    from unnest($1::text[], $2::text[]) with ordinality as given (list, query, i)`,
    [queries.map(([list]) => list), queries.map(([, query]) => query)],
  )
  await pool.query(
    `insert into view_subscriptions (user_id, view_id, delivery, language)
    select users.id, views.id, 'immediate', 'en' from users, views
    where users.email like 'follower%' and views.name like 'View %'`,
  )
}
