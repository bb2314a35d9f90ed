import {
  type Legacy,
  LegacyError,
  type LegacyInventory,
  type LegacyOptions,
  type LegacyRows,
  openLegacy,
} from '@kustos/clients/legacy'
import { removeBidiControls } from '@kustos/contract/text'
import type { Context } from '../../platform/context.ts'
import { importEmails, importExternalDomains, importOwnDomains } from './domains.ts'
import type { Run } from './import-rows.ts'
import { importCategories, importNodes } from './nodes-and-categories.ts'
import { isSkippable, type LegacyLine, type LegacyPart, type LegacyReport, openReport } from './report.ts'
import { importUptime } from './uptime.ts'
import { importRoles, importUsers } from './users-and-roles.ts'
import { importLegacyWebs } from './webs.ts'

export interface LegacyImport extends Pick<LegacyOptions, 'url' | 'frontendOrigin' | 'idleTimeoutMs'> {
  readonly email: string
  readonly password: string
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
  const { url, frontendOrigin, idleTimeoutMs, email, password, overwrite } = options
  const legacy = openLegacy({ url, frontendOrigin, idleTimeoutMs })
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
  const inventory = await request(run, 'webs', legacy.inventory)
  const webs = inventory === null ? [] : await importInventory(run, legacy, inventory)
  if (!skip.has('users')) await importUsersAndRoles(run, legacy)
  const importPart = async <Row>(
    part: LegacyPart,
    list: () => Promise<LegacyRows<Row>>,
    importRows: (run: Run, rows: readonly Row[]) => Promise<void>,
  ) => {
    const rows = skip.has(part) ? null : await readRows(run, part, list)
    if (rows !== null) await importRows(run, rows)
  }
  await importPart('external-domains', legacy.externalDomains, importExternalDomains)
  if (hasRegistrar)
    run.report.note(
      'domains',
      'LIMITIS_API_URL is set, so own domains and mailboxes are read from the registrar.',
    )
  else {
    await importPart('domains', legacy.ownDomains, importOwnDomains)
    await importPart('emails', legacy.emails, importEmails)
  }
  if (!skip.has('uptime')) await importUptime(run, legacy, webs)
}

async function importInventory(run: Run, legacy: Legacy, inventory: LegacyInventory) {
  const nodes = takeRows(run, 'nodes', inventory.nodes).map(withShownName)
  const beside = takeRows(run, 'categories', inventory.categories).map(withShownName)
  const listed = ((await readRows(run, 'categories', legacy.categories)) ?? []).map(withShownName)
  const names = new Set(beside.map(({ name }) => name))
  const categories = [...beside, ...listed.filter(({ name }) => !names.has(name))]
  const webs = takeRows(run, 'webs', inventory.webs).map((web) => ({
    ...web,
    node: web.node && removeBidiControls(web.node),
    categories: web.categories.map(withShownName),
    sites: web.sites.map(removeBidiControls),
    aliases: web.aliases.map(removeBidiControls),
  }))
  const ids = {
    nodes: await importNodes(run, nodes, webs),
    categories: await importCategories(run, categories, webs),
  }
  return importLegacyWebs(run, webs, categories, ids)
}

const withShownName = <Row extends { readonly name: string | null }>(row: Row): Row => ({
  ...row,
  name: row.name && removeBidiControls(row.name),
})

async function importUsersAndRoles(run: Run, legacy: Legacy): Promise<void> {
  const users = await readRows(run, 'users', legacy.users)
  if (users === null) return
  const roles = await readRows(run, 'roles', legacy.roles)
  const ids = await importRoles(run, roles, users)
  await importUsers(run, users, roles ?? [], ids)
}

async function readRows<Row>(run: Run, part: LegacyPart, list: () => Promise<LegacyRows<Row>>) {
  const rows = await request(run, part, list)
  return rows && takeRows(run, part, rows)
}

/** The response; null, with a line in the report, if the user has no permission or the response is not a list. */
async function request<T>({ report }: Run, part: LegacyPart, call: () => Promise<T>): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    if (!isSkippable(error)) throw error
    report.problem(part, `${error.message} The whole list was skipped.`)
    return null
  }
}

/** The readable rows of a list. The others are reported. */
function takeRows<Row>({ report }: Run, part: LegacyPart, { rows, wrong }: LegacyRows<Row>): readonly Row[] {
  for (const sentence of wrong) report.problem(part, sentence)
  return rows
}
