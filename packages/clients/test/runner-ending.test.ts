import { spawn } from 'node:child_process'
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Command } from '../src/runner/index.ts'
import { newRunId, openMachines, runCommand as runCommandOn, sh } from './runner-machines.ts'
import { testNode } from './runner-starter.ts'

const { folder, machines, open } = await openMachines()

async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat !== null && !/\) [ZX]/.test(stat)
}
const filterRunning = async (pids: readonly number[]) => {
  const running = await Promise.all(pids.map(async (pid) => ((await isAlive(pid)) ? [pid] : [])))
  return running.flat()
}
async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; !(await condition()); await sleep(20))
    if (Date.now() > end) throw new Error('The condition was not met in time')
}
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Prints the process ids of itself, a child and a grandchild, which all keep running. */
const tree = "echo $$; sleep 600 & echo $!; sh -c 'sleep 601 & echo $!; wait' & wait"
/** The same, but ignores SIGTERM. */
const stubborn = `trap '' TERM; ${tree}`

describe.each(machines)('a command %s', (_name, { options, runsFolder }) => {
  const runners = open(options)
  const runner = runners.node(testNode)
  const runCommand = (argv: Command['argv'], runId?: string, timeoutMs?: number) =>
    runCommandOn(runners, argv, runId, timeoutMs)

  /** Starts a command in another process. */
  async function startInOtherProcess(argv: Command['argv'], runId: string, lines: number) {
    const task = JSON.stringify({ options, runId, argv })
    const child = spawn(process.execPath, [join(import.meta.dirname, 'runner-starter.ts'), task], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const output: string[] = []
    if (lines > 0)
      for await (const line of createInterface(child.stdout)) if (output.push(line) === lines) break
    return {
      output,
      async kill() {
        child.kill('SIGKILL')
        await ended
      },
    }
  }

  test.each([
    ['obeys SIGTERM', tree],
    ['ignores SIGTERM', stubborn],
  ])('ends with all its children when cancelled, if it %s', async (_name, script) => {
    const cancel = new AbortController()
    const pids: number[] = []
    const outcome = await runner.run(
      { argv: sh(script), runId: newRunId(), timeoutMs: 60_000 },
      {
        signal: cancel.signal,
        onLine: (_source, text) => {
          if (pids.push(Number(text)) === 3) cancel.abort()
        },
      },
    )
    expect(outcome).toEqual({ kind: 'cancelled' })
    expect(pids).toHaveLength(3)
    expect(await filterRunning(pids)).toEqual([])
  })

  test('ends when cancelled at once', async () => {
    const cancel = new AbortController()
    const running = runner.run(
      { argv: ['sleep', '600'], runId: newRunId(), timeoutMs: 60_000 },
      { signal: cancel.signal, onLine: () => undefined },
    )
    cancel.abort()
    expect(await running).toEqual({ kind: 'cancelled' })
  })

  test('does not start if it was cancelled before', async () => {
    const marker = join(folder, newRunId())
    const outcome = await runner.run(
      { argv: ['touch', marker], runId: newRunId(), timeoutMs: 60_000 },
      { signal: AbortSignal.abort(), onLine: () => undefined },
    )
    expect(outcome).toEqual({ kind: 'cancelled' })
    expect(await exists(marker)).toBe(false)
  })

  test('ends with all its children after its timeout', async () => {
    const { outcome, lines } = await runCommand(sh(tree), newRunId(), 700)
    expect(outcome).toEqual({ kind: 'timed-out' })
    expect(lines).toHaveLength(3)
    expect(await filterRunning(lines.map((line) => Number(line.replace('out: ', ''))))).toEqual([])
  })

  test('is ended by recovery after its starter was killed', async () => {
    const runId = newRunId()
    const starter = await startInOtherProcess(sh(tree), runId, 3)
    const pids = starter.output.map(Number)
    await starter.kill()
    expect(await filterRunning(pids)).toEqual(pids)
    expect(await runner.recover(runId)).toBe('none')
    expect(await filterRunning(pids)).toEqual([])
  })

  test('is recovered as succeeded if it finished after its starter was killed', async () => {
    const runId = newRunId()
    const go = join(folder, `${runId}-go`)
    const starter = await startInOtherProcess(
      sh('echo up; until [ -e "$1" ]; do sleep 0.05; done', go),
      runId,
      1,
    )
    await starter.kill()
    await writeFile(go, '')
    await waitUntil(() => exists(join(runsFolder, runId, 'exit')))
    expect(await runner.recover(runId)).toBe('succeeded')
    expect(await runner.recover(runId)).toBe('succeeded')
  })

  test('is not recovered if it failed', async () => {
    const runId = newRunId()
    await runCommand(sh('exit 3'), runId)
    expect(await runner.recover(runId)).toBe('none')
  })

  test('is not recovered if it was never started', async () => {
    expect(await runner.recover(newRunId())).toBe('none')
  })

  test('is not started again under the same name', async () => {
    const runId = newRunId()
    const marker = join(folder, runId)
    await runCommand(['true'], runId)
    await expect(runCommand(['touch', marker], runId)).rejects.toMatchObject({
      codedMessage: { code: 'node_cannot_start' },
    })
    expect(await exists(marker)).toBe(false)
    expect(await runner.recover(runId)).toBe('succeeded')
  })

  test.each([
    [
      'recovered',
      async (runId: string) => expect(await runner.recover('run-of-another', runId)).toBe('none'),
    ],
    ['forgotten', (runId: string) => runner.forget(runId)],
  ])('is not started if it is %s between its reservation and its start', async (_name, prevent) => {
    const runId = newRunId()
    const marker = join(folder, runId)
    const running = runner.run(
      { argv: ['touch', marker], runId, timeoutMs: 60_000 },
      { signal: new AbortController().signal, onLine: () => undefined, beforeStart: () => prevent(runId) },
    )
    await expect(running).rejects.toMatchObject({ codedMessage: { code: 'node_cannot_start' } })
    expect(await exists(marker)).toBe(false)
  })

  test('is not started if its caller refuses', async () => {
    const runId = newRunId()
    const marker = join(folder, runId)
    const running = runner.run(
      { argv: ['touch', marker], runId, timeoutMs: 60_000 },
      {
        signal: new AbortController().signal,
        onLine: () => undefined,
        beforeStart: () => Promise.reject(new Error('The lease is lost')),
      },
    )
    await expect(running).rejects.toThrow('The lease is lost')
    expect(await exists(marker)).toBe(false)
  })

  test('does not end another process that got its process id', async () => {
    const runId = newRunId()
    const other = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
    try {
      await mkdir(join(runsFolder, runId), { recursive: true })
      await writeFile(join(runsFolder, runId, 'pid'), `${other.pid} 00000000-0000-0000-0000-000000000000\n`)
      expect(await runner.recover(runId)).toBe('none')
      expect(await isAlive(other.pid ?? 0)).toBe(true)
    } finally {
      other.kill('SIGKILL')
    }
  })

  test('can be forgotten without affecting others', async () => {
    await runCommand(['true'], 'forget-1-a')
    await runCommand(['true'], 'forget-1-b')
    await runCommand(['true'], 'forget-2-a')
    await runner.forget('forget-1-')
    await runner.forget('forget-3-')
    expect(await runner.recover('forget-1-a')).toBe('none')
    expect(await runner.recover('forget-1-b')).toBe('none')
    expect(await runner.recover('forget-2-a')).toBe('succeeded')
  })
})
