import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDataFolder, listProcesses } from './system.ts'

/** Starts itself again, as a worker that forks: until the child executes another program, it has the worker's command. */
const forkingWorker = `
import { spawn } from 'node:child_process'
if (process.argv[2] !== 'child') spawn(process.execPath, [import.meta.filename, 'child'])
setInterval(() => undefined, 60_000)
`

test('does not mistake a process that a worker has just forked for a second worker', async () => {
  const folder = await createDataFolder()
  onTestFinished(() => folder.remove())
  const script = join(folder.path, 'apps/worker/forking.mjs')
  await mkdir(join(folder.path, 'apps/worker'), { recursive: true })
  await writeFile(script, forkingWorker)
  const worker = spawn(process.execPath, [script])
  await vi.waitFor(async () => expect(await listProcesses(folder.path)).toHaveLength(2), 30_000)
  const workers = (await listProcesses(folder.path)).filter(({ program }) => program === 'worker')
  expect(workers.map(({ pid }) => pid)).toEqual([worker.pid])
})
