import { type Plesk, PleskError } from '@kustos/clients/plesk'
import { RunnerError, type Runners } from '@kustos/clients/runner'
import type { Connection } from '@kustos/contract/inspections'
import { type Message, message } from '@kustos/contract/messages'
import { nodes } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import type { InspectionResult } from '../inspections/index.ts'
import type { Context } from '../platform/context.ts'
import type { Mask } from '../platform/masking/index.ts'
import { createNodeMask, type NodeSecrets, openPanelKey } from '../platform/panel-key.ts'
import { storedMessage } from '../platform/stored-message.ts'
import { fingerprintOf } from './fingerprint.ts'
import { readOutput } from './read-output.ts'

export interface NodeTools extends NodeSecrets {
  readonly plesk: Plesk
  readonly runners: Runners
}

interface Check extends Pick<Connection['checks'][number], 'check' | 'ok' | 'found'> {
  readonly problem: Message | null
}
type Node = typeof nodes.$inferSelect

/**
 * Tests the API of a node's panel, whether Kustos can sign in over SSH, and whether Plesk's command line is there.
 * @throws the signal's reason
 */
export async function testConnection(
  { db }: Context,
  tools: NodeTools,
  id: number,
  signal: AbortSignal,
): Promise<InspectionResult> {
  const [node] = await db.select().from(nodes).where(eq(nodes.id, id))
  if (!node) return { state: 'failed', problems: [message('node_not_found', { id })] }
  const mask = createNodeMask(tools, node)
  const [panel, hostKey, commands] = await Promise.all([
    checkPanel(tools, node, signal),
    readHostKey(tools, node),
    checkCommands(tools, node, { mask, signal }),
  ])
  signal.throwIfAborted()
  const results = [panel, ...commands].map(
    ({ found, problem, ...check }): Check => ({
      ...check,
      found: found && mask.text(found),
      problem: problem && mask.message(problem),
    }),
  )
  const problems = results.flatMap(({ problem }) => problem ?? [])
  return {
    state: problems.length === 0 ? 'succeeded' : results.some(({ ok }) => ok) ? 'partial' : 'failed',
    problems,
    connection: {
      checks: results.map(({ problem, ...check }) => ({ ...check, ...storedMessage('problem', problem) })),
      host_key: hostKey,
      host_key_fingerprint: hostKey === null ? null : fingerprintOf(hostKey),
    },
  }
}

async function checkPanel({ plesk, secretBox }: NodeTools, node: Node, signal: AbortSignal): Promise<Check> {
  const opened = openPanelKey(secretBox, node)
  if (opened === 'unreadable') return failed('panel', message('plesk_key_unreadable', { node: node.name }))
  try {
    const version = await plesk.version({ ...node, plesk_key: opened.key }, signal)
    return { check: 'panel', ok: true, found: `Plesk ${version}`, problem: null }
  } catch (error) {
    if (error instanceof PleskError) return failed('panel', error.codedMessage)
    throw error
  }
}

async function checkCommands(
  { runners }: NodeTools,
  node: Node,
  options: { readonly mask: Mask; readonly signal: AbortSignal },
): Promise<Check[]> {
  try {
    const { code, lines } = await readOutput(
      runners.node(node),
      `node-${node.id}`,
      ['plesk', 'version'],
      options,
    )
    const user: Check = { check: 'ssh', ok: true, found: null, problem: null }
    if (code === 0)
      return [user, { check: 'plesk', ok: true, found: lines[0]?.trim() ?? null, problem: null }]
    return [user, failed('plesk', message('plesk_command_failed', { node: node.name, exitCode: code }))]
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error
    return [failed('ssh', error.codedMessage), { check: 'plesk', ok: null, found: null, problem: null }]
  }
}

/** Null if no key is offered; the SSH check reports why. */
async function readHostKey({ runners }: NodeTools, node: Node): Promise<string | null> {
  try {
    return await runners.readHostKey(node)
  } catch (error) {
    if (error instanceof RunnerError) return null
    throw error
  }
}

const failed = (check: Check['check'], problem: Message): Check => ({
  check,
  ok: false,
  found: null,
  problem,
})
