import {
  type Legacy,
  type LegacyCategory,
  LegacyError,
  type LegacyRows,
  openLegacy,
} from '@kustos/clients/legacy'
import type { Context } from '../../platform/context.ts'
import { takeEmails, takeExternalDomains, takeOwnDomains } from './domains.ts'
import { takeRoles, takeUsers } from './people.ts'
import { takeCategories, takeNodes } from './places.ts'
import { type LegacyLine, type LegacyPart, type LegacyReport, openReport } from './report.ts'
import type { Run } from './take-rows.ts'
import { takeUptime } from './uptime.ts'
import { takeWebs } from './webs.ts'

export interface LegacyImport {
  /** The address of the former system. */
  readonly url: string
  /** The origin of its frontend, if different. */
  readonly frontEnd?: string | undefined
  readonly email: string
  readonly password: string
  /** Milliseconds without a byte of an answer; null for the default. */
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
 * @param tell is called for each line of the report
 * @throws LegacyError if the former system cannot be read
 */
export async function importLegacy(
  context: Context,
  options: LegacyImport,
  tell: (line: LegacyLine) => void,
): Promise<LegacyReport> {
  const { url, frontEnd, timeout, email, password, overwrite } = options
  const legacy = openLegacy({
    url,
    ...(frontEnd !== undefined && { frontEnd }),
    ...(timeout !== null && { timeout }),
  })
  const report = openReport(tell)
  try {
    await legacy.signIn(email, password)
    try {
      await takeAll({ context, source: new URL(url).origin, overwrite, report }, legacy, options)
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

async function takeAll(run: Run, legacy: Legacy, { skip, hasRegistrar }: LegacyImport): Promise<void> {
  const { report } = run
  const inventory = await read(run, 'webs', () => legacy.inventory())
  let webs: Awaited<ReturnType<typeof takeWebs>> = []
  if (inventory !== null) {
    const nodes = rowsOf(run, 'nodes', inventory.nodes)
    const categories = await allCategories(run, legacy, rowsOf(run, 'categories', inventory.categories))
    const given = rowsOf(run, 'webs', inventory.webs)
    const nodeIds = await takeNodes(run, nodes, given)
    const categoryIds = await takeCategories(run, categories, given)
    webs = await takeWebs(run, given, categories, { nodes: nodeIds, categories: categoryIds })
  }
  if (!skip.has('users')) await takePeople(run, legacy)
  const take = async <Row>(
    part: LegacyPart,
    list: () => Promise<LegacyRows<Row>>,
    keep: (run: Run, rows: readonly Row[]) => Promise<void>,
  ) => {
    if (skip.has(part)) return
    const rows = await read(run, part, list)
    if (rows !== null) await keep(run, rowsOf(run, part, rows))
  }
  await take('external-domains', () => legacy.externalDomains(), takeExternalDomains)
  if (hasRegistrar)
    report.note('domains', 'LIMITIS_API_URL is set: own domains and mailboxes come from the registrar.')
  else {
    await take('domains', () => legacy.ownDomains(), takeOwnDomains)
    await take('emails', () => legacy.emails(), takeEmails)
  }
  if (!skip.has('uptime')) await takeUptime(run, legacy, webs)
}

async function takePeople(run: Run, legacy: Legacy): Promise<void> {
  const users = await read(run, 'users', () => legacy.users())
  if (users === null) return
  const people = rowsOf(run, 'users', users)
  const roles = await read(run, 'roles', () => legacy.roles())
  const roleRows = roles === null ? null : rowsOf(run, 'roles', roles)
  const ids = await takeRoles(run, roleRows, people)
  await takeUsers(run, people, roleRows ?? [], ids)
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

/** The answer of a request; null, with a line in the report, if the user may not send it or the answer is not a list. */
async function read<T>({ report }: Run, part: LegacyPart, call: () => Promise<T>): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof LegacyError) || /^(unreachable|busy)$/.test(error.failure)) throw error
    report.problem(part, `${error.message} All of it was left out.`)
    return null
  }
}

/** The rows of a list. Unreadable ones are reported. */
function rowsOf<Row>({ report }: Run, part: LegacyPart, { rows, wrong }: LegacyRows<Row>): readonly Row[] {
  for (const sentence of wrong) report.problem(part, sentence)
  return rows
}
