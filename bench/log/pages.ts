import { logLimit } from '@kustos/contract/logs'

/** Ids and times in the benchmark's log that pages are filtered by. */
export interface LogFixture {
  /** Caused nearly every entry; caused three. */
  readonly busy: number
  readonly idle: number
  /** The subject of every twentieth entry; the subject of some hundreds. */
  readonly favourite: number
  readonly web: number
  /** A day in the middle of the log, and the month around it. */
  readonly day: readonly [string, string]
  readonly month: readonly [string, string]
  /** The id of the entry in the middle of the log. */
  readonly middle: number
}

export interface Page {
  readonly name: string
  /** The query of GET /api/logs. */
  readonly query: string
  /** The same rows, selected in SQL. */
  readonly rows: string
}

const newest = 'created_at desc, id desc'

/** A single filter, as a range of the index made for it. */
const indexRange = (columns: string, values: string): [string, string] => [
  `(${columns}) between (${values}) and (${values})`,
  `${columns.replaceAll(',', ' desc,')} desc, ${newest}`,
]

export const createPages = (fixture: LogFixture): readonly Page[] => {
  const page = (name: string, query: Record<string, string | number>, where: string, order = newest) => ({
    name,
    query: new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString(),
    rows: `select * from log_entries ${where && `where ${where}`} order by ${order} limit ${logLimit.default}`,
  })
  const between = ([from, to]: readonly [string, string]) =>
    `created_at >= '${from}' and created_at < '${to}'`
  return [
    page('first page', {}, ''),
    page(
      'a page in the middle',
      { before: fixture.middle },
      `(created_at, id) < (select created_at, id from log_entries where id = ${fixture.middle})`,
    ),
    page(
      'causer of nearly everything',
      { causer: fixture.busy },
      ...indexRange('causer_id', `${fixture.busy}`),
    ),
    page('causer of three entries', { causer: fixture.idle }, ...indexRange('causer_id', `${fixture.idle}`)),
    page('caused by nobody', { causer: 'none' }, 'causer_id is null', `causer_id desc, ${newest}`),
    page('log webs, half of all', { log: 'webs' }, ...indexRange('log_name', `'webs'`)),
    page('log users, a thousandth', { log: 'users' }, ...indexRange('log_name', `'users'`)),
    page(
      'a web, a twentieth of all',
      { subject_type: 'web', subject_id: fixture.favourite },
      ...indexRange('subject_type, subject_id', `'web', ${fixture.favourite}`),
    ),
    page(
      'a web, some hundreds',
      { subject_type: 'web', subject_id: fixture.web },
      ...indexRange('subject_type, subject_id', `'web', ${fixture.web}`),
    ),
    page('every web', { subject_type: 'web' }, ...indexRange('subject_type', `'web'`)),
    page('every user, a thousandth', { subject_type: 'user' }, ...indexRange('subject_type', `'user'`)),
    page(
      'every deployment, long ago',
      { subject_type: 'deployment' },
      ...indexRange('subject_type', `'deployment'`),
    ),
    page('a day in the middle', { from: fixture.day[0], to: fixture.day[1] }, between(fixture.day)),
    page(
      'causer of three, a month',
      { causer: fixture.idle, from: fixture.month[0], to: fixture.month[1] },
      `causer_id = ${fixture.idle} and ${between(fixture.month)}`,
    ),
    page(
      'causer of most, log users, a month',
      { causer: fixture.busy, log: 'users', from: fixture.month[0], to: fixture.month[1] },
      `causer_id = ${fixture.busy} and log_name = 'users' and ${between(fixture.month)}`,
    ),
    page('nothing at all', { log: 'nothing' }, ...indexRange('log_name', `'nothing'`)),
  ]
}
