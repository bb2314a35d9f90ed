import { spawn } from 'node:child_process'
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Command } from '../src/runner/index.ts'
import { carryOut as carryOutOn, openMachines, runName, sh } from './runner-machines.ts'
import { testNode } from './runner-starter.ts'

const { folder, machines, open } = await openMachines()

async function lives(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat !== null && !/\) [ZX]/.test(stat)
}
const runningOf = async (pids: readonly number[]) => {
  const running = await Promise.all(pids.map(async (pid) => ((await lives(pid)) ? [pid] : [])))
  return running.flat()
}
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; !(await condition()); await sleep(20))
    if (Date.now() > end) throw new Error('That did not come true')
}
const there = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Says the pids of itself, a child and a grandchild, which all go on for long. */
const tree = "echo $$; sleep 600 & echo $!; sh -c 'sleep 601 & echo $!; wait' & wait"
/** The same, and does not end when asked to. */
const stubborn = `trap '' TERM; ${tree}`

describe.each(machines)('a command %s', (_name, { opening, runsFolder }) => {
  const runners = open(opening)
  const runner = runners.node(testNode)
  const carryOut = (argv: Command['argv'], run?: string, timeout?: number) =>
    carryOutOn(runners, argv, run, timeout)

  /** Starts a command in a process of its own. */
  async function startElsewhere(argv: Command['argv'], run: string, lines: number) {
    const task = JSON.stringify({ open: opening, run, argv })
    const child = spawn(process.execPath, [join(import.meta.dirname, 'runner-starter.ts'), task], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const said: string[] = []
    if (lines > 0)
      for await (const line of createInterface(child.stdout)) if (said.push(line) === lines) break
    return {
      said,
      async kill() {
        child.kill('SIGKILL')
        await ended
      },
    }
  }

  test.each([
    ['ends when asked to', tree],
    ['does not end when asked to', stubborn],
  ])('ends with all its children when cancelled, if it %s', async (_how, script) => {
    const cancel = new AbortController()
    const pids: number[] = []
    const outcome = await runner.run(
      { argv: sh(script), run: runName(), timeoutMs: 60_000 },
      {
        signal: cancel.signal,
        onLine: (_source, text) => {
          if (pids.push(Number(text)) === 3) cancel.abort()
        },
      },
    )
    expect(outcome).toEqual({ how: 'cancelled' })
    expect(pids).toHaveLength(3)
    expect(await runningOf(pids)).toEqual([])
  })

  test('does little when cancelled at once', async () => {
    const cancel = new AbortController()
    const running = runner.run(
      { argv: ['sleep', '600'], run: runName(), timeoutMs: 60_000 },
      { signal: cancel.signal, onLine: () => undefined },
    )
    cancel.abort()
    expect(await running).toEqual({ how: 'cancelled' })
  })

  test('does not start if it was cancelled before', async () => {
    const marker = join(folder, runName())
    const outcome = await runner.run(
      { argv: ['touch', marker], run: runName(), timeoutMs: 60_000 },
      { signal: AbortSignal.abort(), onLine: () => undefined },
    )
    expect(outcome).toEqual({ how: 'cancelled' })
    expect(await there(marker)).toBe(false)
  })

  test('ends with all its children after its timeout', async () => {
    const { outcome, lines } = await carryOut(sh(tree), runName(), 700)
    expect(outcome).toEqual({ how: 'timed-out' })
    expect(lines).toHaveLength(3)
    expect(await runningOf(lines.map((line) => Number(line.replace('out: ', ''))))).toEqual([])
  })

  test('can be ended after its starter was killed', async () => {
    const run = runName()
    const starter = await startElsewhere(sh(tree), run, 3)
    const pids = starter.said.map(Number)
    await starter.kill()
    expect(await runningOf(pids)).toEqual(pids)
    expect(await runner.recover(run)).toBe('none')
    expect(await runningOf(pids)).toEqual([])
  })

  test('has succeeded if it finished after its starter was killed', async () => {
    const run = runName()
    const go = join(folder, `${run}-go`)
    const starter = await startElsewhere(sh('echo up; until [ -e "$1" ]; do sleep 0.05; done', go), run, 1)
    await starter.kill()
    await writeFile(go, '')
    await until(() => there(join(runsFolder, run, 'exit')))
    expect(await runner.recover(run)).toBe('succeeded')
    expect(await runner.recover(run)).toBe('succeeded')
  })

  test('has not succeeded if it failed', async () => {
    const run = runName()
    await carryOut(sh('exit 3'), run)
    expect(await runner.recover(run)).toBe('none')
  })

  test('has not succeeded if it was never started', async () => {
    expect(await runner.recover(runName())).toBe('none')
  })

  test('counts as running if it succeeded and was started again', async () => {
    const run = runName()
    await carryOut(['true'], run)
    const starter = await startElsewhere(sh('echo up; sleep 600'), run, 1)
    await starter.kill()
    expect(await runner.recover(run)).toBe('none')
  })

  test('does not end another process with its former id', async () => {
    const run = runName()
    const other = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
    try {
      await mkdir(join(runsFolder, run), { recursive: true })
      await writeFile(join(runsFolder, run, 'pid'), `${other.pid} 00000000-0000-0000-0000-000000000000\n`)
      expect(await runner.recover(run)).toBe('none')
      expect(await lives(other.pid ?? 0)).toBe(true)
    } finally {
      other.kill('SIGKILL')
    }
  })

  test('is forgotten without affecting others', async () => {
    await carryOut(['true'], 'forget-1-a')
    await carryOut(['true'], 'forget-1-b')
    await carryOut(['true'], 'forget-2-a')
    await runner.forget('forget-1-')
    await runner.forget('forget-3-')
    expect(await runner.recover('forget-1-a')).toBe('none')
    expect(await runner.recover('forget-1-b')).toBe('none')
    expect(await runner.recover('forget-2-a')).toBe('succeeded')
  })
})
