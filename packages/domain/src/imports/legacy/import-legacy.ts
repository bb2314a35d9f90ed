import {
  type Legacy,
  type LegacyCategory,
  LegacyError,
  type LegacyRows,
  openLegacy,
} from '@kustos/clients/legacy'
import type { Context } from '../../platform/context.ts'
import { importEmails, importExternalDomains, importOwnDomains } from './domains.ts'
import type { Run } from './import-rows.ts'
import { importCategories, importNodes } from './nodes-and-categories.ts'
import { type LegacyLine, type LegacyPart, type LegacyReport, openReport } from './report.ts'
import { importUptime } from './uptime.ts'
import { importRoles, importUsers } from './users-and-roles.ts'
import { importLegacyWebs } from './webs.ts'

export interface LegacyImport {
  /** The address of the former system. */
  readonly url: string
  /** The origin of its frontend, if different. */
  readonly frontEnd?: string | undefined
  readonly email: string
  readonly password: string
  /** Milliseconds without a byte of a response; null for the default. */
  readonly timeout: number | null
  /** Whether existing rows take the values of the source, unless Kustos has newer ones. */
  readonly overwrite: boolean
  /** The parts to leave out. */
  readonly skip: ReadonlySet<LegacyPart>
  /** Whether own domains and mailboxes come from a registrar, whose next sync would undo their import. */
  readonly hasRegistrar: boolean
}

/**
 * Imports the data of the former system through its API. Existing rows stay unchanged, so the import can be repeated
 * after a failure, or while both systems are in use.
 * @param onLine is called for each line of the report
 * @throws LegacyError if the former system cannot be read
 */
export async function importLegacy(
  context: Context,
  options: LegacyImport,
  onLine: (line: LegacyLine) => void,
): Promise<LegacyReport> {
  const { url, frontEnd, timeout, email, password, overwrite } = options
  const legacy = openLegacy({
    url,
    ...(frontEnd !== undefined && { frontEnd }),
    ...(timeout !== null && { timeout }),
  })
  const report = openReport(onLine)
  try {
    await legacy.signIn(email, password)
    try {
      await importAll({ context, source: new URL(url).origin, overwrite, report }, legacy, options)
    } finally {
      await legacy.signOut().catch((error: unknown) => {
        // The session expires by itself, and an earlier error is more important.
        if (!(error instanceof LegacyError)) throw error
      })
    }
    return report
  } finally {
    await legacy.close()
  }
}

async function importAll(run: Run, legacy: Legacy, { skip, hasRegistrar }: LegacyImport): Promise<void> {
  const { report } = run
  const inventory = await read(run, 'webs', () => legacy.inventory())
  let webs: Awaited<ReturnType<typeof importLegacyWebs>> = []
  if (inventory !== null) {
    const nodes = rowsOf(run, 'nodes', inventory.nodes)
    const categories = await allCategories(run, legacy, rowsOf(run, 'categories', inventory.categories))
    const sourceWebs = rowsOf(run, 'webs', inventory.webs)
    const nodeIds = await importNodes(run, nodes, sourceWebs)
    const categoryIds = await importCategories(run, categories, sourceWebs)
    webs = await importLegacyWebs(run, sourceWebs, categories, { nodes: nodeIds, categories: categoryIds })
  }
  if (!skip.has('users')) await importUsersAndRoles(run, legacy)
  const importPart = async <Row>(
    part: LegacyPart,
    list: () => Promise<LegacyRows<Row>>,
    importRows: (run: Run, rows: readonly Row[]) => Promise<void>,
  ) => {
    if (skip.has(part)) return
    const rows = await read(run, part, list)
    if (rows !== null) await importRows(run, rowsOf(run, part, rows))
  }
  await importPart('external-domains', () => legacy.externalDomains(), importExternalDomains)
  if (hasRegistrar)
    report.note(
      'domains',
      'LIMITIS_API_URL is set, so own domains and mailboxes are read from the registrar.',
    )
  else {
    await importPart('domains', () => legacy.ownDomains(), importOwnDomains)
    await importPart('emails', () => legacy.emails(), importEmails)
  }
  if (!skip.has('uptime')) await importUptime(run, legacy, webs)
}

async function importUsersAndRoles(run: Run, legacy: Legacy): Promise<void> {
  const users = await read(run, 'users', () => legacy.users())
  if (users === null) return
  const people = rowsOf(run, 'users', users)
  const roles = await read(run, 'roles', () => legacy.roles())
  const roleRows = roles === null ? null : rowsOf(run, 'roles', roles)
  const ids = await importRoles(run, roleRows, people)
  await importUsers(run, people, roleRows ?? [], ids)
}

/** The categories of the webs, and those of their own list. */
async function allCategories(
  run: Run,
  legacy: Legacy,
  beside: readonly LegacyCategory[],
): Promise<readonly LegacyCategory[]> {
  const list = await read(run, 'categories', () => legacy.categories())
  if (list === null) return beside
  const names = new Set(beside.map(({ name }) => name))
  return [...beside, ...rowsOf(run, 'categories', list).filter(({ name }) => !names.has(name))]
}

/** The response; null, with a line in the report, if the user has no permission or the response is not a list. */
async function read<T>({ report }: Run, part: LegacyPart, call: () => Promise<T>): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof LegacyError) || /^(unreachable|busy)$/.test(error.failure)) throw error
    report.problem(part, `${error.message} The whole list was skipped.`)
    return null
  }
}

/** The rows of a list. Unreadable ones are reported. */
function rowsOf<Row>({ report }: Run, part: LegacyPart, { rows, wrong }: LegacyRows<Row>): readonly Row[] {
  for (const sentence of wrong) report.problem(part, sentence)
  return rows
}
