import { setTimeout as sleep } from 'node:timers/promises'
import { type NodeDetails, newNode } from '@kustos/contract/nodes'
import type { Context } from '@kustos/domain/platform/context'
import {
  type Command,
  CommandError,
  print,
  readPassword,
  requireConfiguration,
  toCommandError,
  toPrintable,
  withDatabase,
} from './command.ts'

const text = { type: 'string' } as const

/** The options of `node:set`, and the fields that they set. */
const fields = {
  panel: 'plesk_fqdn',
  'panel-port': 'plesk_port',
  certificate: 'plesk_certificate',
  'ssh-host': 'ssh_host',
  'ssh-port': 'ssh_port',
  'ssh-user': 'ssh_user',
  'host-key': 'host_key',
  address: 'address',
  deployments: 'cloud_enabled',
} as const
type Option = keyof typeof fields
const optionNames = Object.keys(fields) as Option[]

export const listNodesCommand: Command = {
  name: 'node:list',
  usage: '  node:list                                  lists the nodes and how they are reached',
  async run() {
    await withDatabase(async (_, context) => {
      const { listNodes } = await import('@kustos/domain/nodes')
      for (const node of await listNodes(context)) print(describeNode(node))
    })
  },
}

const describeNode = (node: NodeDetails): string =>
  [
    node.name,
    `panel ${node.plesk_fqdn}:${node.plesk_port ?? 8443}${node.has_plesk_key ? '' : ', no API key stored'}`,
    `ssh ${node.ssh_user === null ? '' : `${node.ssh_user}@`}${node.ssh_host ?? node.plesk_fqdn}:${node.ssh_port ?? 22}`,
    node.host_key_fingerprint ?? 'no host key stored',
    `${node.webs} webs`,
    node.cloud_enabled ? 'deployments allowed' : 'no deployments',
  ].join('; ')

export const setNodeCommand: Command = {
  name: 'node:set',
  usage: `  node:set NAME --panel HOST [--panel-port N] [--certificate SHA256] [--ssh-host HOST] [--ssh-port N]
          [--ssh-user NAME] [--host-key LINE] [--address IP] [--deployments yes|no] [--key]
                                             adds a node, or changes what is given of one; an empty value removes
                                             one, and --key reads the key of the panel's API from standard input`,
  positionals: ['NAME'],
  options: { ...Object.fromEntries(optionNames.map((name) => [name, text])), key: { type: 'boolean' } },
  async run({ positionals: [name], values }) {
    if (name === undefined) throw new CommandError('NAME is missing.')
    const given = Object.fromEntries(
      optionNames.flatMap((option) => {
        const value = values[option]
        return typeof value === 'string' ? [[fields[option], parseOption(option, value)]] : []
      }),
    )
    const key = values.key === true ? { plesk_key: await readPassword() } : {}
    await withDatabase(async (_, context) => {
      const { createNode, editNode } = await import('@kustos/domain/nodes')
      const { createSecretBox } = await import('@kustos/domain/platform/secret-box')
      const box = createSecretBox(requireConfiguration().SECRETS_KEY)
      const known = await findNode(context, name)
      const parsed = newNode.safeParse({ plesk_fqdn: '', ...known, name, ...given, ...key })
      if (!parsed.success) throw toCommandError(parsed.error.issues)
      if (known === null) await createNode(context, box, parsed.data)
      else await editNode(context, box, known.id, { ...parsed.data, updated_at: known.updated_at })
      print(`Node ${name} was ${known === null ? 'added' : 'changed'}.`)
    })
  },
}

function parseOption(option: Option, value: string): string | number | boolean | null {
  if (option === 'deployments') {
    if (value !== 'yes' && value !== 'no') throw new CommandError('--deployments is yes or no.')
    return value === 'yes'
  }
  if (option !== 'panel-port' && option !== 'ssh-port') return value
  return value === '' ? null : Number(value)
}

export const deleteNodeCommand: Command = {
  name: 'node:delete',
  usage: '  node:delete NAME                           deletes a node without webs and deployments',
  positionals: ['NAME'],
  async run({ positionals: [name] }) {
    await withDatabase(async (_, context) => {
      const { deleteNode } = await import('@kustos/domain/nodes')
      await deleteNode(context, (await requireNode(context, name)).id)
    })
    print(`Node ${name} was deleted.`)
  },
}

const pollMs = 500
const waitMs = 120_000

export const testNodeCommand: Command = {
  name: 'node:test',
  usage:
    '  node:test NAME                             lets a worker test how the node is reached, and waits for it',
  positionals: ['NAME'],
  async run({ positionals: [name] }) {
    const isReached = await withDatabase(async (_, context) => {
      const { requestInspection, readInspection } = await import('@kustos/domain/inspections')
      const { id } = await requireNode(context, name)
      // Workers find inspections that nobody has enqueued.
      const queues = { addAll: () => Promise.resolve() }
      const inspection = await requestInspection(
        context,
        { queues, onError: () => undefined },
        'connection',
        id,
      )
      for (const end = Date.now() + waitMs; Date.now() < end; await sleep(pollMs)) {
        const { ended_at: ended, state, connection, problems } = await readInspection(context, inspection)
        if (ended === null) continue
        for (const { check, ok, found, problem } of connection?.checks ?? [])
          printReported(`${check}: ${problem ?? found ?? (ok === true ? 'works' : 'not tested')}`)
        if (connection === null) for (const problem of problems) printReported(problem)
        if (connection?.host_key) print(`host key ${connection.host_key_fingerprint}: ${connection.host_key}`)
        return state === 'succeeded'
      }
      throw new CommandError(`No worker has tested ${name} within ${waitMs / 1000} s. Is one running?`)
    })
    if (!isReached) process.exitCode = 1
  },
}

/** Prints what a node may have said, which must not control the terminal. */
const printReported = (text: string) => print(toPrintable(text, 400))

async function findNode(context: Context, name: string): Promise<NodeDetails | null> {
  const { listNodes } = await import('@kustos/domain/nodes')
  return (await listNodes(context)).find((node) => node.name === name) ?? null
}

/** @throws CommandError */
async function requireNode(context: Context, name: string | undefined): Promise<NodeDetails> {
  if (name === undefined) throw new CommandError('NAME is missing.')
  const node = await findNode(context, name)
  if (node === null) throw new CommandError(`There is no node ${name}.`)
  return node
}
