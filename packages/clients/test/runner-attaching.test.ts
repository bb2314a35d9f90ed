import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { never, newRunId, openMachines, sh } from './runner-machines.ts'
import { testNode } from './runner-starter.ts'

const { folder, machines, open } = await openMachines()

const isAlive = async (pid: number) => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat !== null && !/\) [ZX]/.test(stat)
}

describe.each(machines)('a command %s that its starter leaves', (_name, { options, runsFolder }) => {
  const runner = open(options).node(testNode)

  function openRun() {
    const runId = newRunId()
    const go = join(folder, `${runId}-go`)
    const lines: string[] = []
    const onLine = (source: string, text: string) => lines.push(`${source}: ${text}`)
    const letGo = () => writeFile(go, '')
    const attach = (timeoutMs = 60_000, signal = never()) => {
      lines.length = 0
      return runner.attach({ runId, timeoutMs }, { signal, onLine })
    }
    /** Starts a command that waits between its lines, and leaves it after the first one. */
    async function startAndLeave(exitCode = 0) {
      const detach = new AbortController()
      const script = 'echo $$; until [ -e "$1" ]; do sleep 0.05; done; echo two; echo three >&2; exit "$2"'
      const outcome = await runner.run(
        { argv: sh(script, go, String(exitCode)), runId, timeoutMs: 60_000 },
        {
          signal: never(),
          detach: detach.signal,
          onLine(...line) {
            onLine(...line)
            detach.abort()
          },
        },
      )
      expect(outcome).toEqual({ kind: 'detached' })
      const pid = Number(lines[0]?.replace('out: ', ''))
      expect(await isAlive(pid)).toBe(true)
      return pid
    }
    return { runId, lines, letGo, attach, startAndLeave }
  }

  test('runs on, and is followed from its first line', async () => {
    const { lines, letGo, attach, startAndLeave } = openRun()
    const pid = await startAndLeave()
    const following = attach()
    await letGo()
    expect(await following).toEqual({ kind: 'exited', code: 0 })
    expect(lines.toSorted()).toEqual(['err: three', `out: ${pid}`, 'out: two'])
    expect(await attach()).toEqual({ kind: 'exited', code: 0 })
    expect(lines.toSorted()).toEqual(['err: three', `out: ${pid}`, 'out: two'])
  })

  test('is known to run until it has ended, and is left alone', async () => {
    const { runId, letGo, startAndLeave } = openRun()
    const pid = await startAndLeave()
    expect(await runner.findRunning(newRunId(), runId)).toEqual([runId])
    expect(await isAlive(pid)).toBe(true)
    await letGo()
    await expect.poll(() => runner.findRunning(runId)).toEqual([])
    expect(await runner.recover(runId)).toBe('succeeded')
  })

  test('is known to run while its wrapper is dead, and not to run with another process of its id', async () => {
    const { runId, letGo, startAndLeave } = openRun()
    const pid = await startAndLeave()
    const pidFile = join(runsFolder, runId, 'pid')
    const record = await readFile(pidFile, 'utf8')
    process.kill(Number(record.split(' ')[0]), 'SIGKILL')
    expect(await runner.findRunning(runId)).toEqual([runId])
    await writeFile(pidFile, `${record.split(' ')[0]} 00000000-0000-0000-0000-000000000000\n`)
    expect(await runner.findRunning(runId)).toEqual([])
    expect(await isAlive(pid)).toBe(true)
    await letGo()
  })

  test('can no longer start, if it was only reserved and is asked for', async () => {
    const { runId } = openRun()
    const running = runner.run(
      { argv: ['true'], runId, timeoutMs: 60_000 },
      {
        signal: never(),
        onLine: () => undefined,
        beforeStart: async () => expect(await runner.findRunning(runId)).toEqual([]),
      },
    )
    await expect(running).rejects.toMatchObject({ codedMessage: { code: 'node_cannot_start' } })
  })

  test('is followed by two at once', async () => {
    const { letGo, attach, startAndLeave } = openRun()
    await startAndLeave()
    const both = Promise.all([attach(), attach()])
    await letGo()
    expect(await both).toEqual([
      { kind: 'exited', code: 0 },
      { kind: 'exited', code: 0 },
    ])
  })

  test('keeps its exit code after it has ended, whatever its timeout', async () => {
    const { runId, letGo, attach, startAndLeave } = openRun()
    await startAndLeave(7)
    await letGo()
    await expect.poll(() => readdir(join(runsFolder, runId))).toContain('exit')
    await sleep(1_100)
    expect(await attach(500)).toEqual({ kind: 'exited', code: 7 })
  })

  test('is ended by its timeout, which counts from its start', async () => {
    const { attach, startAndLeave } = openRun()
    const pid = await startAndLeave()
    await sleep(2_100)
    const startedAt = Date.now()
    expect(await attach(2_000)).toEqual({ kind: 'timed-out' })
    expect(Date.now() - startedAt).toBeLessThan(5_000)
    expect(await isAlive(pid)).toBe(false)
  })

  test('can be ended by any follower', async () => {
    const { lines, attach, startAndLeave } = openRun()
    const pid = await startAndLeave()
    expect(await attach(60_000, AbortSignal.abort())).toEqual({ kind: 'cancelled' })
    expect(await isAlive(pid)).toBe(false)
    expect(lines).toEqual([`out: ${pid}`])
  })

  test('is unknown if it was killed with its wrapper', async () => {
    const { runId, attach, startAndLeave } = openRun()
    await startAndLeave()
    const [leader] = (await readFile(join(runsFolder, runId, 'pid'), 'utf8')).split(' ')
    process.kill(-Number(leader), 'SIGKILL')
    expect(await attach()).toBeNull()
  })

  test('is unknown, and can no longer start, if it was only reserved', async () => {
    const { runId, attach } = openRun()
    expect(await attach()).toBeNull()
    const running = runner.run(
      { argv: ['true'], runId, timeoutMs: 60_000 },
      {
        signal: never(),
        onLine: () => undefined,
        beforeStart: async () => expect(await attach()).toBeNull(),
      },
    )
    await expect(running).rejects.toMatchObject({ codedMessage: { code: 'node_cannot_start' } })
  })

  test('is not started if it is left before', async () => {
    const { runId, attach } = openRun()
    const detach = new AbortController()
    const outcome = await runner.run(
      { argv: ['true'], runId, timeoutMs: 60_000 },
      {
        signal: never(),
        detach: detach.signal,
        onLine: () => undefined,
        beforeStart: async () => detach.abort(),
      },
    )
    expect(outcome).toEqual({ kind: 'cancelled' })
    expect(await attach()).toBeNull()
  })

  test('keeps 4 MiB of each stream and runs on', async () => {
    const { runId } = openRun()
    const lines: string[] = []
    const outcome = await runner.run(
      { argv: sh('yes 0123456789abcde | head -c 20000000; echo done >&2'), runId, timeoutMs: 60_000 },
      { signal: never(), onLine: (_source, text) => lines.push(text) },
    )
    expect(outcome).toEqual({ kind: 'exited', code: 0 })
    expect(lines).toContain('done')
    expect(lines).toContain('The rest of the output was too long to be kept.')
    const kept = await readFile(join(runsFolder, runId, 'out'))
    expect(kept.length).toBeGreaterThan(4_000_000)
    expect(kept.length).toBeLessThan(4.2 * 1024 * 1024)
  })
})
