import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSshRunners } from '@kustos/clients/runner'
import { startSshServer } from '@kustos/clients/testing/ssh-server'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { forgetOldOutput, readOutput } from '../src/nodes/read-output.ts'
import { createMask } from '../src/platform/masking/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'kustos-read-output-'))
const server = await startSshServer(join(folder, 'ssh'))
const runsFolder = join(folder, 'runs')
const runners = openSshRunners({ ...server, runsFolder })
afterAll(async () => {
  await runners.close()
  await server.kill()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await rm(runsFolder, { recursive: true, force: true })
  await mkdir(runsFolder)
})

const node = { id: 1, name: 'n1', plesk_fqdn: '127.0.0.1' }
const listRuns = async () => (await readdir(runsFolder)).toSorted()

test('leaves nothing on the node, whether the command succeeds, fails or is interrupted', async () => {
  const read = (script: string, signal = new AbortController().signal) =>
    readOutput(runners.node(node), 'node-1', ['sh', '-c', script], { mask: createMask([]), signal })
  expect(await read('echo yes')).toEqual({ code: 0, lines: ['yes'] })
  expect(await read('exit 3')).toEqual({ code: 3, lines: [] })
  const interruption = new AbortController()
  const reading = read('sleep 60', interruption.signal)
  await vi.waitFor(async () => expect(await listRuns()).toHaveLength(1))
  interruption.abort()
  await expect(reading).rejects.toBe(interruption.signal.reason)
  expect(await listRuns()).toEqual([])
})

test('removes what such commands have left on the node a day ago, and nothing else', async () => {
  const old = new Date(Date.now() - 25 * 3_600_000)
  for (const name of ['node-1-old', 'node-1-new', 'node-10-old', 'd1-1-0']) {
    await mkdir(join(runsFolder, name))
    if (name !== 'node-1-new') await utimes(join(runsFolder, name), old, old)
  }
  await forgetOldOutput(runners, node)
  expect(await listRuns()).toEqual(['d1-1-0', 'node-1-new', 'node-10-old'])
})
