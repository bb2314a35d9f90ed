import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Command } from '../src/runner/index.ts'
import { carryOut as carryOutOn, never, openMachines, runName, sh } from './runner-machines.ts'
import { testNode } from './runner-starter.ts'

const { folder, controllerFolder, machines, open } = await openMachines()
const there = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

describe.each(machines)('a command %s', (_name, { opening, runsFolder }) => {
  const runners = open(opening)
  const runner = runners.node(testNode)
  const carryOut = (argv: Command['argv'], run?: string, timeout?: number) =>
    carryOutOn(runners, argv, run, timeout)

  test.each([0, 1, 3, 100, 125, 129, 255])('ends with its exit code %i', async (code) => {
    expect(await carryOut(sh(`exit ${code}`))).toEqual({ outcome: { how: 'exited', code }, lines: [] })
  })

  test('ends with 127 if it does not exist', async () => {
    const { outcome, lines } = await carryOut(['kustos-has-no-such-program'])
    expect(outcome).toEqual({ how: 'exited', code: 127 })
    expect(lines.join()).toContain('kustos-has-no-such-program')
  })

  test('reports that it was killed', async () => {
    expect((await carryOut(sh('kill -KILL $$'))).outcome).toEqual({ how: 'killed', signal: 'SIGKILL' })
  })

  test('is never a shell builtin', async () => {
    const marker = join(folder, runName())
    const { outcome } = await carryOut(['eval', `touch ${marker}`])
    expect(outcome).toEqual({ how: 'exited', code: 127 })
    expect(await there(marker)).toBe(false)
  })

  test('returns its lines with their stream', async () => {
    const { lines } = await carryOut(
      sh('echo one; sleep 0.1; echo zwölf >&2; sleep 0.1; printf "10%%\\r100%%\\nrest"'),
    )
    expect(lines).toEqual(['out: one', 'err: zwölf', 'out: 100%', 'out: rest'])
  })

  test('loses none of many lines', async () => {
    const { lines } = await carryOut(sh('i=0; while [ $i -lt 5000 ]; do echo $i; i=$((i+1)); done'))
    expect(lines).toEqual(Array.from({ length: 5000 }, (_, i) => `out: ${i}`))
  })

  test('has no input', async () => {
    expect((await carryOut(['cat'])).outcome).toEqual({ how: 'exited', code: 0 })
  })

  test('has none of the variables of Kustos', async () => {
    vi.stubEnv('KUSTOS_TEST_SECRET', 'hunter2')
    const { lines } = await carryOut(['env'])
    vi.unstubAllEnvs()
    expect(lines.join('\n')).not.toContain('hunter2')
    expect(lines).toContain('out: LANG=C.UTF-8')
  })

  test('may end without closing its output', async () => {
    const { outcome, lines } = await carryOut(sh('sleep 20 & echo $!'))
    expect(outcome).toEqual({ how: 'exited', code: 0 })
    process.kill(Number(lines[0]?.replace('out: ', '')))
  })

  test('gets its arguments literally, without a shell', async () => {
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

  test('is not started if its run cannot be recorded', async () => {
    await carryOut(['true'])
    await writeFile(join(runsFolder, 'blocked'), '')
    const marker = join(folder, runName())
    await expect(carryOut(['touch', marker], 'blocked')).rejects.toThrow('node-01 cannot start commands')
    expect(await there(marker)).toBe(false)
  })

  test('runs beside others', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) => carryOut(sh('sleep 0.3; echo "$1"', `${i}`))),
    )
    expect(all.map(({ lines }) => lines)).toEqual(Array.from({ length: 12 }, (_, i) => [`out: ${i}`]))
  })
})

test.each(machines)('runs commands of the controller on this machine: %s', async (_name, { opening }) => {
  const runners = open(opening)
  const lines: string[] = []
  await runners.controller.run(
    { argv: ['pwd'], run: runName(), timeoutMs: 10_000 },
    { signal: never(), onLine: (_source, text) => lines.push(text) },
  )
  expect(lines).toEqual([controllerFolder])
})

test.each(['..', '.', '', 'a/b', '../nodes'])('has no folder for a node named %j', (name) => {
  const runners = open({ local: { folder: join(folder, 'nodes') } })
  expect(() => runners.node({ name, plesk_fqdn: 'node.test' })).toThrow('cannot name a folder')
})
