import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createRunner } from '../src/runner/process-runner.ts'

/** A machine on which a script seems to end a tenth of a second after its start, whatever it still has to say. */
const openMachine = (output: string) =>
  createRunner({
    name: 'node-01',
    runsFolder: 'runs',
    async start() {
      const child = spawn('/bin/sh', ['-c', output])
      onTestFinished(() => void child.kill())
      const ended = sleep(100).then(() => ({ code: 0 }))
      const { stdin: input, stdout: out, stderr: err } = child
      return { input, out, err, ended, close: () => void out.destroy() }
    },
  })

test('reads what a slow connection brings after the end of a script', async () => {
  const runner = openMachine('sleep 1; echo run-1; sleep 1; echo asked')
  expect(await runner.findRunning('run-1', 'run-2')).toEqual(['run-1'])
})

test('reads what has arrived while the process was busy', async () => {
  const found = openMachine('sleep 0.5; echo run-1; echo asked').findRunning('run-1', 'run-2')
  await sleep(200)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000)
  expect(await found).toEqual(['run-1'])
})

test('does not wait for output that never ends', async () => {
  const startedAt = performance.now()
  expect(await openMachine('echo asked; exec sleep 60').findRunning('run-1')).toEqual([])
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})

test('reads no more than 8 MiB of a stream, which a node never prints by itself', async () => {
  const runner = openMachine('yes run-1 | head -c 9000000; echo; echo asked')
  await expect(runner.findRunning('run-1')).rejects.toMatchObject({
    codedMessage: { code: 'node_outcome_unknown' },
  })
})
