import { lookup } from 'node:dns/promises'
import type { Bitbucket } from '@kustos/clients/bitbucket'
import type { Runner } from '@kustos/clients/runner'
import { forkableProject } from '@kustos/contract/bitbucket'
import { asciiFqdn, webStatus } from '@kustos/contract/webs'
import { deployments, type nodes, repositories, webs } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { change } from '../audit.ts'
import { rememberRepository } from '../bitbucket/index.ts'
import type { Context } from '../context.ts'
import { brokeUnique } from '../errors.ts'
import type { Claim } from './claim.ts'
import { StepFailure } from './failure.ts'
import type { BuiltinStep } from './recipes.ts'
import { strangenessOf, wrongServer } from './refusals.ts'
import { runName } from './runs.ts'
import { systemUser, webOfSystemUser } from './system-user.ts'
import type { ExecutionTools } from './tools.ts'

/** What a step of Kustos' own works with. */
export interface StepWork {
  readonly context: Context
  readonly tools: ExecutionTools
  readonly row: Claim['row']
  readonly node: typeof nodes.$inferSelect | null
  /** The web as it is by now; a request's is there once it has been created. */
  readonly webId: number | null
  readonly signal: AbortSignal
  note(text: string): void
}

type Builtin = (work: StepWork, step: BuiltinStep) => Promise<void>

/** Each is safe to do again. They throw StepFailure, and what the clients throw. */
export const builtins: Readonly<Record<BuiltinStep['do'], Builtin>> = {
  'pre-flight': preFlight,
  'fork-repository': forkRepository,
  'create-web': createWeb,
  'first-probe': firstProbe,
  'finish-web': finishWeb,
}

/**
 * Before each step, however long ago the deployment was accepted: commands go by the web's name, which must still be its
 * own. @throws StepFailure
 */
export async function checkTarget({ context, row, node, webId }: StepWork): Promise<void> {
  if (node !== null && !node.cloud_enabled) throw new StepFailure(wrongServer)
  const strangeness = webId === null ? null : await strangenessOf(context.db, row, webId)
  if (strangeness !== null) throw new StepFailure(strangeness)
}

/** In KiB. */
const leastDisk = 256 * 1024

async function preFlight(work: StepWork, { folders = ['.'] }: BuiltinStep): Promise<void> {
  const { row, node, tools, webId } = work
  if (row.request !== null && row.repository !== null && webId === null) {
    const bitbucket = configured(tools.bitbucket)
    const [source, target] = [row.request.sourceRepo, row.repository]
    if ((await bitbucket.find(source, work.signal)) === null)
      throw new StepFailure(`Bitbucket has no repository ${source} any more.`)
    const existing = await bitbucket.find(target, work.signal)
    if (existing !== null && existing.description !== descriptionOf(row))
      throw new StepFailure(`Bitbucket has a repository ${target} already.`)
    work.note(`The repository name ${target} is free.`)
    await noteAddress(work)
  }
  if (node === null) return
  const runner = tools.runners.node(node)
  const free = await freeDisk(runner, work, folders)
  if (free < leastDisk)
    throw new StepFailure(`Node ${node.name} has only ${Math.round(free / 1024)} MiB of disk left.`)
  work.note(`Node ${node.name} answers and has ${(free / 1024 / 1024).toFixed(1)} GiB free.`)
}

/** @returns KiB, the least of the folders', as `df -Pk` tells it (POSIX) */
async function freeDisk(
  runner: Runner,
  { row, node, signal }: StepWork,
  folders: readonly string[],
): Promise<number> {
  const lines: string[] = []
  const outcome = await runner.run(
    { argv: ['df', '-Pk', ...folders], run: runName(row, 'disk'), timeout: 20_000 },
    { signal, onLine: (source, text) => source === 'out' && lines.push(text) },
  )
  // Below the headings, a line for each folder.
  const free = Math.min(...lines.slice(1).map((line) => Number(line.split(/\s+/)[3])))
  if (outcome.how !== 'exited' || outcome.code !== 0 || !Number.isFinite(free))
    throw new StepFailure(`Node ${node?.name} does not tell how much disk it has left.`)
  return free
}

/** A name that points elsewhere is no obstacle: it is often moved after the web has been tried. */
async function noteAddress({ row, node, note }: StepWork): Promise<void> {
  const host = asciiFqdn(row.fqdn) ?? row.fqdn
  try {
    const { address } = await lookup(host)
    const isOurs = address === node?.address
    note(`${host} points to ${address}${isOurs ? ', which is the node' : ', which is not the node yet'}.`)
  } catch {
    note(`${host} does not resolve yet.`)
  }
}

/** Finds a fork of our own again, whose answer was lost. */
const descriptionOf = (row: Claim['row']) => `${row.fqdn} (Kustos deployment ${row.id})`

async function forkRepository({ context, tools, row, signal, note }: StepWork): Promise<void> {
  const bitbucket = configured(tools.bitbucket)
  const { request, repository: name } = row
  if (request === null || name === null) throw new StepFailure('Only requests fork a repository.')
  const description = descriptionOf(row)
  const existing = await bitbucket.find(name, signal)
  if (existing !== null && existing.description !== description)
    throw new StepFailure(`Bitbucket has a repository ${name} already.`)
  const repository =
    existing ??
    (await bitbucket.fork(request.sourceRepo, { name, project: forkableProject, description }, signal))
  await rememberRepository(context.db, repository)
  note(`${repository.html_url} is a fork of ${request.sourceRepo}.`)
}

/** Makes the web's row. It stays without a status, so neither finished nor monitored, until all steps are done. */
async function createWeb({ context, row, node, webId, note }: StepWork): Promise<void> {
  if (webId !== null) return note(`The web has been created already: ${webId}.`)
  const { request, repository } = row
  if (request === null || node === null) throw new StepFailure('Only requests create a web, and on a node.')
  const address = node.address ?? (await addressOf(node.plesk_fqdn))
  try {
    const id = await change(context, async (inside) => {
      // Done again after an answer that was lost, it finds what the first time has made.
      const [own] = await inside.db
        .select({ web: deployments.web_id })
        .from(deployments)
        .where(eq(deployments.id, row.id))
        .for('update')
      if (own?.web != null) {
        inside.unchanged()
        return own.web
      }
      const taken = await webOfSystemUser(inside.db, { fqdn: row.fqdn, bnName: request.bnName, node })
      if (taken !== null) throw new StepFailure(`${taken}: ask anew with another TP number.`)
      const now = inside.now()
      const values = {
        fqdn: row.fqdn,
        fqdn_ascii: asciiFqdn(row.fqdn) ?? row.fqdn,
        customer: request.customer,
        node_id: node.id,
        configured_ip: address,
        comment: `TP number ${request.bnName}`,
        sysuser: systemUser(request.bnName),
        repository,
      }
      const [web] = await inside.db
        .insert(webs)
        .values({ ...values, created_at: now, updated_at: now })
        .returning({ id: webs.id })
      if (!web) throw new Error('The web was not kept')
      const { fqdn_ascii: _ascii, node_id: _node, ...logged } = values
      await inside.db.update(deployments).set({ web_id: web.id }).where(eq(deployments.id, row.id))
      await inside.record({
        log: 'webs',
        description: 'created',
        subject: { type: 'web', id: web.id },
        attributes: { ...logged, node: node.name, deployment: row.id },
        ...(row.requested_by !== null && { causerId: row.requested_by }),
      })
      return web.id
    })
    note(`Web ${id} has been added to the inventory, on ${node.name} (${address}).`)
  } catch (error) {
    throw brokeUnique(error, 'webs_living_fqdn')
      ? new StepFailure(`A web ${row.fqdn} exists already.`)
      : error
  }
}

async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address
  } catch (cause) {
    throw new StepFailure(`${host} does not resolve, so the web's address is unknown.`, { cause })
  }
}

async function firstProbe({ context, tools, row, webId, signal, note }: StepWork): Promise<void> {
  if (webId === null) throw new StepFailure('There is no web to look at.')
  const host = asciiFqdn(row.fqdn) ?? row.fqdn
  const { status, reason, milliseconds } = await tools.prober.probe(host, signal)
  signal.throwIfAborted()
  note(
    status === null
      ? `${host} does not answer yet: ${reason}.`
      : `${host} answers with ${status} after ${milliseconds} ms.`,
  )
  await context.db.update(webs).set({ http_status_code: status }).where(eq(webs.id, webId))
}

async function finishWeb({ context, row, webId, note }: StepWork): Promise<void> {
  if (webId === null) throw new StepFailure('There is no web to finish.')
  await change(context, async (inside) => {
    const [web] = await inside.db.select().from(webs).where(eq(webs.id, webId)).for('update')
    if (!web || web.deleted_at !== null) throw new StepFailure(`${row.fqdn} has been deleted meanwhile.`)
    if (web.status === webStatus.active) return inside.unchanged()
    await inside.db
      .update(webs)
      .set({ status: webStatus.active, updated_at: inside.now() })
      .where(eq(webs.id, webId))
    await inside.record({
      log: 'webs',
      description: 'updated',
      subject: { type: 'web', id: webId },
      old: { status: web.status },
      attributes: { status: webStatus.active, deployment: row.id },
      ...(row.requested_by !== null && { causerId: row.requested_by }),
    })
  })
  note(`${row.fqdn} is active.`)
}

function configured(bitbucket: Bitbucket | null): Bitbucket {
  if (bitbucket === null) throw new StepFailure('Bitbucket is not configured.')
  return bitbucket
}

/** Where git clones a repository from; undefined where it is not known. */
export async function cloneUrlOf({ db }: Context, repository: string | null): Promise<string | undefined> {
  if (repository === null) return undefined
  const [row] = await db
    .select({ url: repositories.clone_url })
    .from(repositories)
    .where(eq(repositories.name, repository))
  return row?.url
}
