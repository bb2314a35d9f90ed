import { logSearchRoutes, logsRoutes } from '@kustos/contract/logs'
import { urlOf } from '@kustos/contract/route'
import type { OpenDatabase } from '@kustos/database/client'
import type { RunningApi } from '../api.ts'
import { median } from '../median.ts'
import { rareWord } from './fill-log.ts'
import type { LogFixture } from './pages.ts'

type Filter = Readonly<Record<string, string | number>>

/** What users ask the log, as the screen does: without sign-ins. */
async function listSearches({ pool }: OpenDatabase, fixture: LogFixture): Promise<[string, Filter][]> {
  const { rows } = await pool.query<{ fqdn: string; customer: string; email: string }>(
    `select fqdn, customer, (select email from users where id = $1) as email from webs where id = $2`,
    [fixture.idle, fixture.web],
  )
  const [web] = rows
  if (!web) throw new Error('The web is missing')
  return [
    ['no filter', {}],
    ['one user, of nearly everything', { causer: fixture.busy }],
    ['one user, of three entries', { causer: fixture.idle }],
    ['one customer', { customer: web.customer }],
    ['one customer, this week', { customer: web.customer, within: 'week' }],
    ['one web', { subject_type: 'web', subject_id: fixture.web }],
    ['a host name', { search: web.fqdn }],
    ['an e-mail of three entries', { search: web.email }],
    ['a word in one of 100,000', { search: rareWord }],
    ['a word in every second', { search: 'comment' }],
    ['a word in one of some dozens', { search: 'pharmacy' }],
    ['a number in one entry', { search: '4999992' }],
    ['an absent word', { search: 'qwertzuiop' }],
    ['two words, one of them rare', { search: `comment ${rareWord}` }],
    ['two frequent words, never together', { search: 'comment deployment' }],
    ['two letters, frequent', { search: 'co' }],
    ['two letters, absent', { search: 'xq' }],
    ['a changed field', { field: 'comment' }],
    ['an action, absent', { action: 'deleted' }],
    ['failed', { result: 'failed' }],
    ['a page in the middle', { before: fixture.middle }],
    ['a word, a page in the middle', { search: 'pharmacy', before: fixture.middle }],
    ['a word of a month', { search: 'pharmacy', from: fixture.month[0], to: fixture.month[1] }],
  ]
}

const rounds = 30
/** Of the first page on screen. */
const shownEntries = 200

/** Prints the times of the first page and of the count of each search. */
export async function measureSearches(
  { database, get }: Pick<RunningApi, 'database' | 'get'>,
  fixture: LogFixture,
): Promise<void> {
  const percentile = (times: readonly number[], share: number) =>
    times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0
  const ofAllPages: number[] = []
  const measure = async (url: string) => {
    const times: number[] = []
    for (let round = 0; round < rounds + 2; round++) {
      const started = performance.now()
      await get(url)
      if (round >= 2) times.push(performance.now() - started)
    }
    return times
  }
  const format = (times: readonly number[]) =>
    [median(times), percentile(times, 0.95), Math.max(...times)]
      .map((ms) => ms.toFixed(1).padStart(8))
      .join(' ')
  console.log(`\n${`ms, of ${rounds}`.padEnd(36)}   median     p95  slowest     count, the same`)
  for (const [name, filter] of await listSearches(database, fixture)) {
    const counted: Filter = { ...filter, without: 'sign-ins' }
    const page = await measure(urlOf(logsRoutes.listLogs, {}, { ...counted, limit: shownEntries }))
    const count = await measure(urlOf(logSearchRoutes.countLogs, {}, { ...counted, before: undefined }))
    ofAllPages.push(...page)
    console.log(`${name.padEnd(36)} ${format(page)} ${format(count)}`)
  }
  console.log(`${'all of them'.padEnd(36)} ${format(ofAllPages)}`)
}

const insertedEntries = 2_000

/** Prints what an entry costs, with the index of the words and without it. */
export async function measureInserts({ pool }: OpenDatabase): Promise<void> {
  const insert = async () => {
    const started = performance.now()
    for (let count = 0; count < insertedEntries; count++)
      await pool.query(
        `insert into log_entries (created_at, log_name, description, subject_type, subject_id, properties)
        values (now(), 'webs', 'updated', 'web', 1, $1)`,
        [
          {
            old: { comment: `Before ${count}` },
            attributes: { comment: `After the relaunch ${count}`, batch: count },
          },
        ],
      )
    return (1000 * (performance.now() - started)) / insertedEntries
  }
  const withIndex = [await insert(), await insert(), await insert()]
  await pool.query('drop index log_entries_by_words')
  const without = [await insert(), await insert(), await insert()]
  console.log(
    `\nan entry, in a transaction of its own: ${median(withIndex).toFixed(0)} µs; without the index of the words ${median(without).toFixed(0)} µs`,
  )
}
