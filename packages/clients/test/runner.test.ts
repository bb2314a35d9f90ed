import { spawn } from 'node:child_process'
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import type { Command, Runners } from '../src/runner/index.ts'
import { startSshServer } from './runner-ssh-server.ts'
import { openRunners, type startedBy, testNode } from './runner-starter.ts'

const folder = await mkdtemp(join(tmpdir(), 'kustos-runner-'))
const server = await startSshServer(join(folder, 'ssh'))
const opened: Runners[] = []
afterAll(async () => {
  for (const runners of opened) await runners.close()
  await server.kill()
  await rm(folder, { recursive: true, force: true })
})

type Opening = z.infer<typeof startedBy>
const { port, user, keyFile, knownHostsFile } = server
const controllerFolder = join(folder, 'controller')
const runsOverSsh = join(folder, 'runs')
const machines: [string, Opening, string][] = [
  ['on this machine', { local: { folder: join(folder, 'nodes') } }, join(folder, 'nodes/node-01/.runs')],
  [
    'over SSH',
    { ssh: { port, user, keyFile, knownHostsFile, controllerFolder, runsFolder: runsOverSsh } },
    runsOverSsh,
  ],
]
const never = () => new AbortController().signal
const sh = (script: string, ...rest: string[]): Command['argv'] => ['sh', '-c', script, 'sh', ...rest]

let runs = 0
const runName = () => `run-${++runs}`

async function lives(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat !== null && !/\) [ZX]/.test(stat)
}
const livingOf = async (pids: readonly number[]) => {
  const living = await Promise.all(pids.map(async (pid) => ((await lives(pid)) ? [pid] : [])))
  return living.flat()
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

describe.each(machines)('a command %s', (_name, opening, runsFolder) => {
  const runners = openRunners(opening)
  opened.push(runners)
  const runner = runners.node(testNode)

  async function carryOut(argv: Command['argv'], run = runName(), timeout = 60_000) {
    const lines: string[] = []
    const outcome = await runner.run(
      { argv, run, timeout },
      { signal: never(), onLine: (source, text) => lines.push(`${source}: ${text}`) },
    )
    return { outcome, lines }
  }

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

  test.each([0, 1, 3, 100, 125, 129, 255])('ends with its exit code %i', async (code) => {
    expect(await carryOut(sh(`exit ${code}`))).toEqual({ outcome: { how: 'exited', code }, lines: [] })
  })

  test('that does not exist ends with 127 and says so', async () => {
    const { outcome, lines } = await carryOut(['kustos-has-no-such-program'])
    expect(outcome).toEqual({ how: 'exited', code: 127 })
    expect(lines.join()).toContain('kustos-has-no-such-program')
  })

  test('that is killed by another says so', async () => {
    expect((await carryOut(sh('kill -KILL $$'))).outcome).toEqual({ how: 'killed', signal: 'SIGKILL' })
  })

  test('is never a builtin of the shell', async () => {
    const marker = join(folder, runName())
    const { outcome } = await carryOut(['eval', `touch ${marker}`])
    expect(outcome).toEqual({ how: 'exited', code: 127 })
    expect(await there(marker)).toBe(false)
  })

  test('tells its lines, each from where it was written', async () => {
    const { lines } = await carryOut(
      sh('echo one; sleep 0.1; echo zwölf >&2; sleep 0.1; printf "10%%\\r100%%\\nrest"'),
    )
    expect(lines).toEqual(['out: one', 'err: zwölf', 'out: 100%', 'out: rest'])
  })

  test('loses none of many lines', async () => {
    const { lines } = await carryOut(sh('i=0; while [ $i -lt 5000 ]; do echo $i; i=$((i+1)); done'))
    expect(lines).toEqual(Array.from({ length: 5000 }, (_, i) => `out: ${i}`))
  })

  test('gets nothing on its input', async () => {
    expect((await carryOut(['cat'])).outcome).toEqual({ how: 'exited', code: 0 })
  })

  test('gets none of the variables of Kustos', async () => {
    vi.stubEnv('KUSTOS_TEST_SECRET', 'hunter2')
    const { lines } = await carryOut(['env'])
    vi.unstubAllEnvs()
    expect(lines.join('\n')).not.toContain('hunter2')
    expect(lines).toContain('out: LANG=C.UTF-8')
  })

  test('need not close its output in order to have ended', async () => {
    const { outcome, lines } = await carryOut(sh('sleep 20 & echo $!'))
    expect(outcome).toEqual({ how: 'exited', code: 0 })
    process.kill(Number(lines[0]?.replace('out: ', '')))
  })

  test('gets its arguments letter by letter, and no shell reads them', async () => {
    const marker = join(folder, runName())
    const payloads = [
      `; touch ${marker}`,
      `$(touch ${marker})`,
      `\`touch ${marker}\``,
      `a\ntouch ${marker}\n`,
      `' ; touch ${marker} ; '`,
      `" ; touch ${marker} ; "`,
      `& touch ${marker} &`,
      `| touch ${marker}`,
      `> ${marker}`,
      `\\'; touch ${marker}`,
      `!touch ${marker}`,
      '-rf',
      '--',
      '--help',
      '../../etc/passwd',
      '*',
      '~',
      '$HOME',
      '%s%n',
      '#',
      '',
      ' ',
      '\t\r\n',
      'zum-löwen 🦁',
      "it''s",
      '\\',
    ]
    const script = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))'
    const { outcome, lines } = await carryOut([process.execPath, '-e', script, '--', ...payloads])
    expect(outcome).toEqual({ how: 'exited', code: 0 })
    expect(JSON.parse(lines.join('').replace('out: ', ''))).toEqual(payloads)
    expect(await there(marker)).toBe(false)
  })

  test.each(['../run', 'a/b', '', 'a b', '$(run)', '.'])('cannot be named %j', async (run) => {
    await expect(carryOut(['true'], run)).rejects.toThrow('cannot name a run')
    await expect(runner.recover(run)).rejects.toThrow('cannot name a run')
  })

  test.each([[''], ['-c'], ['true', 'a\0b']] as const)('cannot be %j', async (...argv) => {
    await expect(carryOut(argv)).rejects.toThrow()
  })

  test.each([
    ['ends when asked to', tree],
    ['does not end when asked to', stubborn],
  ])('that is cancelled is gone with all that it started, where it %s', async (_how, script) => {
    const cancel = new AbortController()
    const pids: number[] = []
    const outcome = await runner.run(
      { argv: sh(script), run: runName(), timeout: 60_000 },
      {
        signal: cancel.signal,
        onLine: (_source, text) => {
          if (pids.push(Number(text)) === 3) cancel.abort()
        },
      },
    )
    expect(outcome).toEqual({ how: 'cancelled' })
    expect(pids).toHaveLength(3)
    expect(await livingOf(pids)).toEqual([])
  })

  test('that is cancelled at once does nothing for long', async () => {
    const cancel = new AbortController()
    const running = runner.run(
      { argv: ['sleep', '600'], run: runName(), timeout: 60_000 },
      { signal: cancel.signal, onLine: () => undefined },
    )
    cancel.abort()
    expect(await running).toEqual({ how: 'cancelled' })
  })

  test('that was cancelled before does not start', async () => {
    const marker = join(folder, runName())
    const outcome = await runner.run(
      { argv: ['touch', marker], run: runName(), timeout: 60_000 },
      { signal: AbortSignal.abort(), onLine: () => undefined },
    )
    expect(outcome).toEqual({ how: 'cancelled' })
    expect(await there(marker)).toBe(false)
  })

  test('that takes too long is gone with all that it started', async () => {
    const { outcome, lines } = await carryOut(sh(tree), runName(), 700)
    expect(outcome).toEqual({ how: 'timed-out' })
    expect(lines).toHaveLength(3)
    expect(await livingOf(lines.map((line) => Number(line.replace('out: ', ''))))).toEqual([])
  })

  test('that goes on after its starter was killed is ended when asked for', async () => {
    const run = runName()
    const starter = await startElsewhere(sh(tree), run, 3)
    const pids = starter.said.map(Number)
    await starter.kill()
    expect(await livingOf(pids)).toEqual(pids)
    expect(await runner.recover(run)).toBe('none')
    expect(await livingOf(pids)).toEqual([])
  })

  test('that finished after its starter was killed has succeeded', async () => {
    const run = runName()
    const go = join(folder, `${run}-go`)
    const starter = await startElsewhere(sh('echo up; until [ -e "$1" ]; do sleep 0.05; done', go), run, 1)
    await starter.kill()
    await writeFile(go, '')
    await until(() => there(join(runsFolder, run, 'exit')))
    expect(await runner.recover(run)).toBe('succeeded')
    expect(await runner.recover(run)).toBe('succeeded')
  })

  test('that failed has not succeeded', async () => {
    const run = runName()
    await carryOut(sh('exit 3'), run)
    expect(await runner.recover(run)).toBe('none')
  })

  test('that nobody started has not succeeded', async () => {
    expect(await runner.recover(runName())).toBe('none')
  })

  test('that succeeded and is started again counts as running', async () => {
    const run = runName()
    await carryOut(['true'], run)
    const starter = await startElsewhere(sh('echo up; sleep 600'), run, 1)
    await starter.kill()
    expect(await runner.recover(run)).toBe('none')
  })

  test('ends nobody who has its pid meanwhile', async () => {
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

  test('that is forgotten is forgotten alone', async () => {
    await carryOut(['true'], 'forget-1-a')
    await carryOut(['true'], 'forget-1-b')
    await carryOut(['true'], 'forget-2-a')
    await runner.forget('forget-1-')
    await runner.forget('forget-3-')
    expect(await runner.recover('forget-1-a')).toBe('none')
    expect(await runner.recover('forget-1-b')).toBe('none')
    expect(await runner.recover('forget-2-a')).toBe('succeeded')
  })

  test('whose run cannot be kept is not started', async () => {
    await carryOut(['true'])
    await writeFile(join(runsFolder, 'blocked'), '')
    const marker = join(folder, runName())
    await expect(carryOut(['touch', marker], 'blocked')).rejects.toThrow('node-01 cannot start commands')
    expect(await there(marker)).toBe(false)
  })

  test('goes beside others', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) => carryOut(sh('sleep 0.3; echo "$1"', `${i}`))),
    )
    expect(all.map(({ lines }) => lines)).toEqual(Array.from({ length: 12 }, (_, i) => [`out: ${i}`]))
  })
})

test.each(machines)("the controller's commands run on this machine: %s", async (_name, opening) => {
  const runners = openRunners(opening)
  opened.push(runners)
  const lines: string[] = []
  await runners.controller.run(
    { argv: ['pwd'], run: runName(), timeout: 10_000 },
    { signal: never(), onLine: (_source, text) => lines.push(text) },
  )
  expect(lines).toEqual([controllerFolder])
})

test.each(['..', '.', '', 'a/b', '../nodes'])('no folder belongs to a node named %j', (name) => {
  const runners = openRunners({ local: { folder: join(folder, 'nodes') } })
  expect(() => runners.node({ name, plesk_fqdn: 'node.test' })).toThrow('cannot name a folder')
})
