import { lookup } from 'node:dns/promises'
import { message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import { asciiFqdn, webStatus } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { deployments, type nodes, repositories, webs } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { mapUniqueViolation } from '../platform/errors.ts'
import { lockCurrentCode } from '../platform/merged-codes.ts'
import type { Claim } from './claim.ts'
import { StepFailure } from './failure.ts'
import { forkRepository } from './fork-repository.ts'
import { preFlight } from './pre-flight.ts'
import type { BuiltinStep } from './recipes.ts'
import { findTargetMismatch } from './refusals.ts'
import { findWebOfSystemUser, systemUser } from './system-user.ts'
import type { ExecutionTools } from './tools.ts'

export interface StepWork {
  readonly context: Context
  readonly tools: ExecutionTools
  readonly row: Claim['row']
  readonly node: typeof nodes.$inferSelect | null
  /** Null while the web of a request does not exist yet. */
  readonly webId: number | null
  readonly signal: AbortSignal
  /** Those of the configuration, the recipe and the node. */
  readonly secrets: readonly string[]
  /** Logs a line, in which secrets are masked. */
  note(text: string): void
}

type Builtin = (work: StepWork, step: BuiltinStep) => Promise<void>

/** All of them are idempotent. They throw StepFailure and the errors of the clients. */
export const builtins: Readonly<Record<BuiltinStep['do'], Builtin>> = {
  'pre-flight': preFlight,
  'fork-repository': forkRepository,
  'create-web': createWeb,
  'first-probe': firstProbe,
  'finish-web': finishWeb,
}

/**
 * Checks before each step that the web still has the name that the commands use and is still on their node, and that no other web
 * has taken the name or the system user of a requested one, however long ago the deployment was accepted.
 * @throws StepFailure
 */
export async function checkTarget({ context, row, node, webId }: StepWork): Promise<void> {
  if (node !== null && !node.cloud_enabled) throw new StepFailure(message('wrong_server'))
  // Otherwise a repository would be forked for a web that cannot be created, and stand in the way of the next request.
  if (webId === null && row.request !== null) {
    if (await isNameTaken(context.db, row.fqdn))
      throw new StepFailure(message('web_exists', { fqdn: row.fqdn }))
    if (node !== null) await rejectTakenSystemUser(context.db, systemUser(row.request.bnName), node)
  }
  const mismatch = webId === null ? null : await findTargetMismatch(context.db, row, webId)
  if (mismatch !== null) throw new StepFailure(mismatch)
}

async function isNameTaken(db: Transaction, fqdn: string): Promise<boolean> {
  const isActive = and(eq(webs.fqdn_ascii, asciiFqdn(fqdn) ?? fqdn), isNull(webs.deleted_at))
  return (await db.$count(webs, isActive)) > 0
}

/** @throws StepFailure */
async function rejectTakenSystemUser(
  db: Transaction,
  user: string,
  node: Pick<typeof nodes.$inferSelect, 'id' | 'name'>,
): Promise<void> {
  const owner = await findWebOfSystemUser(db, user, node.id)
  if (owner === null) return
  const taken = message('system_user_taken', { fqdn: owner, user, node: node.name })
  throw new StepFailure(message('ask_with_another_number', { taken }))
}

/** Inserts the web. It has no status, and so is not monitored, until all steps are done. */
async function createWeb({ context, row, node, webId, note }: StepWork): Promise<void> {
  if (webId !== null) return note(`The web has been created already: ${webId}.`)
  const { request, repository } = row
  if (request === null || node === null) throw new StepFailure(message('creation_without_request'))
  const address = node.address ?? (await resolveAddress(node.plesk_fqdn))
  const isTaken = { webs_active_fqdn: () => new StepFailure(message('web_exists', { fqdn: row.fqdn })) }
  const id = await mapUniqueViolation(isTaken, () =>
    withAudit(context, async (tx) => {
      // A repetition after a lost answer finds the web of the first time.
      const [own] = await tx.db
        .select({ web: deployments.web_id })
        .from(deployments)
        .where(eq(deployments.id, row.id))
        .for('update')
      if (own?.web != null) {
        tx.skipAudit()
        return own.web
      }
      const sysuser = systemUser(request.bnName)
      // It may have been merged since the request. Its lock comes before that of system users, as in requests.
      const customer = await lockCurrentCode(tx, request.customer)
      await rejectTakenSystemUser(tx.db, sysuser, node)
      const now = tx.now()
      const values = {
        fqdn: row.fqdn,
        fqdn_ascii: asciiFqdn(row.fqdn) ?? row.fqdn,
        customer,
        node_id: node.id,
        configured_ip: address,
        comment: `TP number ${request.bnName}`,
        sysuser,
        repository,
      }
      const [web] = await tx.db
        .insert(webs)
        .values({ ...values, created_at: now, updated_at: now })
        .returning({ id: webs.id })
      if (!web) throw new Error('The web was not inserted')
      const { fqdn_ascii: _ascii, node_id: _node, ...logged } = values
      await tx.db.update(deployments).set({ web_id: web.id }).where(eq(deployments.id, row.id))
      await tx.record({
        log: 'webs',
        description: 'created',
        subject: { type: 'web', id: web.id },
        attributes: { ...logged, node: node.name, deployment: row.id },
        causerId: row.requested_by,
      })
      return web.id
    }),
  )
  note(`Web ${id} has been added to the inventory, on ${node.name} (${address}).`)
}

async function resolveAddress(host: string): Promise<string> {
  try {
    return (await lookup(host)).address
  } catch (cause) {
    throw new StepFailure(message('address_unresolved', { host }), { cause })
  }
}

async function firstProbe({ context, tools, row, webId, signal, note }: StepWork): Promise<void> {
  if (webId === null) throw new StepFailure(message('no_web_to_probe'))
  const host = asciiFqdn(row.fqdn) ?? row.fqdn
  const { status, reason, milliseconds } = await tools.prober.probe(host, signal)
  signal.throwIfAborted()
  note(
    status === null
      ? `${host} does not respond yet: ${reason && englishText(reason)}.`
      : `${host} answers with ${status} after ${milliseconds} ms.`,
  )
  await context.db.transaction(async (db) => {
    await context.assertLease?.(db)
    const [web] = await db
      .select({ status: webs.http_status_code })
      .from(webs)
      .where(eq(webs.id, webId))
      .for('no key update')
    // Each statement makes every open list of webs reload, even if it changes nothing.
    if (web && web.status !== status)
      await db.update(webs).set({ http_status_code: status }).where(eq(webs.id, webId))
  })
}

async function finishWeb({ context, row, webId, note }: StepWork): Promise<void> {
  if (webId === null) throw new StepFailure(message('no_web_to_finish'))
  await withAudit(context, async (tx) => {
    const [web] = await tx.db.select().from(webs).where(eq(webs.id, webId)).for('update')
    if (!web || web.deleted_at !== null) throw new StepFailure(message('web_deleted', { fqdn: row.fqdn }))
    if (web.status === webStatus.active) return tx.skipAudit()
    await tx.db.update(webs).set({ status: webStatus.active, updated_at: tx.now() }).where(eq(webs.id, webId))
    await tx.record({
      log: 'webs',
      description: 'updated',
      subject: { type: 'web', id: webId },
      old: { status: web.status },
      attributes: { status: webStatus.active, deployment: row.id },
      causerId: row.requested_by,
    })
  })
  note(`${row.fqdn} is active.`)
}

export async function findCloneUrl({ db }: Context, repository: string | null): Promise<string | undefined> {
  if (repository === null) return undefined
  const [row] = await db
    .select({ url: repositories.clone_url })
    .from(repositories)
    .where(eq(repositories.name, repository))
  return row?.url
}
