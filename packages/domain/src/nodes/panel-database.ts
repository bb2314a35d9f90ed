import { isDeepStrictEqual } from 'node:util'
import { type NodeAddress, RunnerError, type Runners } from '@kustos/clients/runner'
import { type Message, message } from '@kustos/contract/messages'
import { webStatus } from '@kustos/contract/webs'
import { killedCode, type ReadOptions, readOutput } from './read-output.ts'

/** Facts about a domain that only Plesk's own database has. */
export interface PanelFacts {
  readonly status: number | null
  readonly sysuser: string | null
  readonly php_version: string | null
  readonly owner: string | null
  /** Null if they could not be read. */
  readonly databases: readonly string[] | null
  /** The folder that the web server serves. */
  readonly root: string | null
}

/** Plesk does not document its tables; these joins are in use since Plesk 12, and a missing column fails its query only. */
const queries = {
  domains: `select d.id, d.status, su.login from domains d
    left join hosting h on h.dom_id = d.id left join sys_users su on su.id = h.sys_user_id`,
  php: 'select h.dom_id, h.php_handler_id from hosting h',
  // The administrator is the agency itself.
  owners: `select d.id, coalesce(nullif(c.cname, ''), c.pname) from domains d
    join clients c on c.id = d.cl_id where c.type <> 'admin'`,
  databases: 'select db.dom_id, db.name from data_bases db order by db.name',
  roots: 'select h.dom_id, h.www_root from hosting h',
} as const

/**
 * Reads the facts of all domains over SSH.
 * @returns them by Plesk's ids of domains, and what could not be read
 * @throws the signal's reason
 */
export async function readPanelDatabase(
  runners: Runners,
  node: NodeAddress & { readonly id: number },
  options: ReadOptions,
): Promise<{ facts: ReadonlyMap<number, PanelFacts>; problems: readonly Message[] }> {
  const problems: Message[] = []
  let mayAnswer = true
  /** Returns null if there was no answer. */
  async function query(sql: string): Promise<string[][] | null> {
    if (!mayAnswer) return null
    try {
      const { code, lines } = await readOutput(
        runners.node(node),
        `node-${node.id}`,
        ['plesk', 'db', '-Ne', sql.replaceAll(/\s+/g, ' ')],
        options,
      )
      if (code === 0) return lines.map((line) => line.split('\t').map((cell) => cell.trim()))
      const reason = lines.at(-1)?.slice(0, 200) ?? ''
      const problem = message('panel_database_unread', { node: node.name, reason })
      // The others would take as long, and the discovery ends before.
      if (code === killedCode) mayAnswer = false
      // If the whole database is closed, each query fails in the same way.
      if (!problems.some((known) => isDeepStrictEqual(known, problem))) problems.push(problem)
    } catch (error) {
      if (!(error instanceof RunnerError)) throw error
      problems.push(error.codedMessage)
      mayAnswer = false
    }
    return null
  }
  const domains = (await query(queries.domains)) ?? []
  const php = toMap(await query(queries.php))
  const owners = toMap(await query(queries.owners))
  const databaseRows = await query(queries.databases)
  const databases = databaseRows && Map.groupBy(databaseRows, ([id]) => id)
  const roots = toMap(await query(queries.roots))
  const facts = new Map(
    domains.map(([id = '', status, login]) => [
      Number(id),
      {
        status: readStatus(status),
        sysuser: orNull(login),
        php_version: readPhpVersion(php.get(id)),
        owner: orNull(owners.get(id)),
        databases: databases && (databases.get(id) ?? []).flatMap(([, name]) => orNull(name) ?? []),
        root: orNull(roots.get(id)),
      },
    ]),
  )
  return { facts, problems }
}

const toMap = (rows: readonly (readonly string[])[] | null): ReadonlyMap<string, string | undefined> =>
  new Map((rows ?? []).map(([id = '', value]) => [id, value]))

/** A backup, and a pause of the web service. */
const temporaryStatuses = 4 | 8

/**
 * The database says who has suspended a domain, as sums of codes (objectStatus of Plesk's XML API). REST, from which webs are
 * refreshed, does not: the domain counts as suspended by the administrator there, so it does here.
 * @returns null while a domain is suspended for a moment only
 */
function readStatus(cell: string | undefined): number | null {
  if (cell === undefined || !/^\d{1,9}$/.test(cell)) return null
  const status = Number(cell)
  if (status === webStatus.active) return status
  return (status & ~temporaryStatuses) === 0 ? null : webStatus.inactive
}

/** MySQL's client prints `NULL`. */
const orNull = (cell: string | undefined): string | null =>
  cell === undefined || cell === '' || cell === 'NULL' ? null : cell.slice(0, 255)

/** @param handler such as `plesk-php83-fpm` */
function readPhpVersion(handler: string | undefined): string | null {
  const [, major, minor] = /php(\d)(\d{1,2})(?!\d)/.exec(handler ?? '') ?? []
  return major === undefined ? null : `${major}.${minor}`
}
