import { lookup } from 'node:dns/promises'
import { message } from '@kustos/contract/messages'
import { asciiFqdn } from '@kustos/contract/webs'
import type { StepWork } from './builtins.ts'
import { StepFailure } from './failure.ts'
import { forkDescription, requireBitbucket } from './fork-repository.ts'
import { type BuiltinStep, fillArgv } from './recipes.ts'
import { createRunId } from './runs.ts'
import { systemUser } from './system-user.ts'

const minDiskKib = 256 * 1024

/** @throws StepFailure, and the errors of the clients */
export async function preFlight(work: StepWork, { folders = ['.'], taken = [] }: BuiltinStep): Promise<void> {
  const { row, node, tools, webId } = work
  if (row.request !== null && row.repository !== null && webId === null) {
    const bitbucket = requireBitbucket(tools.bitbucket)
    const [source, target] = [row.request.sourceRepo, row.repository]
    if ((await bitbucket.find(source, work.signal)) === null)
      throw new StepFailure(message('repository_gone', { repository: source }))
    const existing = await bitbucket.find(target, work.signal)
    if (existing !== null && existing.description !== forkDescription(row))
      throw new StepFailure(message('repository_exists', { repository: target }))
    work.note(`The repository name ${target} is free.`)
    await noteAddress(work)
  }
  if (node === null) return
  const free = await freeDisk(work, node, folders)
  if (free < minDiskKib)
    throw new StepFailure(message('disk_full', { node: node.name, mebibytes: Math.round(free / 1024) }))
  work.note(`Node ${node.name} is reachable; ${(free / 1024 / 1024).toFixed(1)} GiB free.`)
  if (webId === null) await rejectTakenNames(work, node, taken)
}

type Node = NonNullable<StepWork['node']>

/** @returns the KiB left in the folder that has the least, as `df -Pk` prints it (POSIX) */
async function freeDisk(work: StepWork, node: Node, folders: readonly string[]): Promise<number> {
  const { code, lines } = await ask(work, node, ['df', '-Pk', ...folders], 'disk')
  // The header is followed by a line for each folder.
  const free = Math.min(...lines.slice(1).map((line) => Number(line.split(/\s+/)[3])))
  if (code !== 0 || !Number.isFinite(free))
    throw new StepFailure(message('disk_unknown', { node: node.name }))
  return free
}

/**
 * The steps that follow keep what exists, since they may be repeated: they would overwrite what the node still has of a deleted
 * web, or has of one that is not in the inventory.
 */
async function rejectTakenNames(work: StepWork, node: Node, taken: BuiltinStep['taken'] = []): Promise<void> {
  const { fqdn, request } = work.row
  if (request === null) return
  const names = { fqdn: asciiFqdn(fqdn) ?? fqdn, sysuser: systemUser(request.bnName) }
  for (const [index, argv] of taken.entries()) {
    const command = fillArgv(argv, names)
    const { code } = await ask(work, node, command, `taken-${index}`)
    if (code === 0)
      throw new StepFailure(message('names_taken', { node: node.name, command: command.join(' ') }))
  }
}

/** Runs a command that changes nothing. @throws StepFailure if it does not end by itself */
async function ask(
  { tools, row, signal }: StepWork,
  node: Node,
  argv: readonly [string, ...string[]],
  name: Parameters<typeof createRunId>[1],
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const lines: string[] = []
  const outcome = await tools.runners
    .node(node)
    .run(
      { argv, runId: createRunId(row, name), timeoutMs: 60_000 },
      { signal, onLine: (source, text) => source === 'out' && lines.push(text) },
    )
  if (outcome.kind !== 'exited') throw new StepFailure(message('node_silent', { node: node.name }))
  return { code: outcome.code, lines }
}

/** The domain may point elsewhere, since it is often moved only after the web has been tried. */
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
