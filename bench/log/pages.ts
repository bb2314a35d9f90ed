import { logLimit } from '@kustos/contract/logs'

/** What stands in the benchmark's log, for those who ask for a part of it. */
export interface Cast {
  /** The user who caused nearly everything, and the one who caused three entries. */
  readonly busy: number
  readonly idle: number
  /** The web that every twentieth entry is about, and another. */
  readonly favourite: number
  readonly web: number
  /** A day amid the log, and the month around it. */
  readonly day: readonly [string, string]
  readonly month: readonly [string, string]
  /** The entry amid the log. */
  readonly middle: number
}

export interface Page {
  readonly name: string
  /** Of GET /api/logs. */
  readonly query: string
  /** The same rows, in SQL over `l`. */
  readonly rows: string
}

const newest = 'created_at desc, id desc'

/** A filter that is alone, as a stretch of its own index. */
const stretch = (columns: string, values: string): [string, string] => [
  `(${columns}) between (${values}) and (${values})`,
  `${columns.replaceAll(',', ' desc,')} desc, ${newest}`,
]

export const pagesOf = (cast: Cast): readonly Page[] => {
  const page = (name: string, query: Record<string, string | number>, where: string, order = newest) => ({
    name,
    query: new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString(),
    rows: `select * from log_entries ${where && `where ${where}`} order by ${order} limit ${logLimit.usual}`,
  })
  const between = ([from, to]: readonly [string, string]) =>
    `created_at >= '${from}' and created_at < '${to}'`
  return [
    page('first page', {}, ''),
    page(
      'the page amid the log',
      { before: cast.middle },
      `(created_at, id) < (select created_at, id from log_entries where id = ${cast.middle})`,
    ),
    page('causer of nearly everything', { causer: cast.busy }, ...stretch('causer_id', `${cast.busy}`)),
    page('causer of three entries', { causer: cast.idle }, ...stretch('causer_id', `${cast.idle}`)),
    page('caused by nobody', { causer: 'none' }, 'causer_id is null', `causer_id desc, ${newest}`),
    page('log webs, half of all', { log: 'webs' }, ...stretch('log_name', `'webs'`)),
    page('log users, a thousandth', { log: 'users' }, ...stretch('log_name', `'users'`)),
    page(
      'a web, a twentieth of all',
      { subject_type: 'web', subject_id: cast.favourite },
      ...stretch('subject_type, subject_id', `'web', ${cast.favourite}`),
    ),
    page(
      'a web, some hundreds',
      { subject_type: 'web', subject_id: cast.web },
      ...stretch('subject_type, subject_id', `'web', ${cast.web}`),
    ),
    page('every web', { subject_type: 'web' }, ...stretch('subject_type', `'web'`)),
    page('every user, a thousandth', { subject_type: 'user' }, ...stretch('subject_type', `'user'`)),
    page(
      'every deployment, long ago',
      { subject_type: 'deployment' },
      ...stretch('subject_type', `'deployment'`),
    ),
    page('a day amid the log', { from: cast.day[0], to: cast.day[1] }, between(cast.day)),
    page(
      'causer of three, a month',
      { causer: cast.idle, from: cast.month[0], to: cast.month[1] },
      `causer_id = ${cast.idle} and ${between(cast.month)}`,
    ),
    page(
      'causer of most, log users, a month',
      { causer: cast.busy, log: 'users', from: cast.month[0], to: cast.month[1] },
      `causer_id = ${cast.busy} and log_name = 'users' and ${between(cast.month)}`,
    ),
    page('nothing at all', { log: 'nothing' }, ...stretch('log_name', `'nothing'`)),
  ]
}
