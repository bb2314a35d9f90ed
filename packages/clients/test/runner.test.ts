import { access, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Command } from '../src/runner/index.ts'
import { never, newRunId, openMachines, runCommand as runCommandOn, sh } from './runner-machines.ts'
import { testNode } from './runner-starter.ts'

const { folder, machines, open } = await openMachines()
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

describe.each(machines)('a command %s', (_name, { options, runsFolder }) => {
  const runners = open(options)
  const runner = runners.node(testNode)
  const runCommand = (argv: Command['argv'], runId?: string, timeoutMs?: number) =>
    runCommandOn(runners, argv, runId, timeoutMs)

  test.each([0, 1, 3, 100, 125, 129, 255])('ends with its exit code %i', async (code) => {
    expect(await runCommand(sh(`exit ${code}`))).toEqual({ outcome: { kind: 'exited', code }, lines: [] })
  })

  test('ends with 127 if it does not exist', async () => {
    const { outcome, lines } = await runCommand(['kustos-has-no-such-program'])
    expect(outcome).toEqual({ kind: 'exited', code: 127 })
    expect(lines.join()).toContain('kustos-has-no-such-program')
  })

  test('reports that it was killed', async () => {
    expect((await runCommand(sh('kill -KILL $$'))).outcome).toEqual({ kind: 'killed', signal: 'SIGKILL' })
  })

  test('is never a shell builtin', async () => {
    const marker = join(folder, newRunId())
    const { outcome } = await runCommand(['eval', `touch ${marker}`])
    expect(outcome).toEqual({ kind: 'exited', code: 127 })
    expect(await exists(marker)).toBe(false)
  })

  test.each([
    ['other users cannot read', {}, ['700', '600']],
    ['other users can read, if it says so', { umask: '022' }, ['755', '644']],
  ])('creates files that %s', async (_access, options, modes) => {
    const runId = newRunId()
    const created = join(folder, runId)
    const lines: string[] = []
    await runner.run(
      {
        argv: sh('mkdir "$1" && echo secret >"$1/dump" && stat -c %a "$1" "$1/dump"', created),
        runId,
        timeoutMs: 60_000,
        ...options,
      },
      { signal: never(), onLine: (_source, text) => lines.push(text) },
    )
    expect(lines).toEqual(modes)
    for (const name of ['.', ...(await readdir(join(runsFolder, runId)))]) {
      const { mode } = await stat(join(runsFolder, runId, name))
      expect(mode & 0o077, name).toBe(0)
    }
  })

  test('returns its lines with their stream', async () => {
    const { lines } = await runCommand(
      sh('echo one; sleep 0.1; echo zwölf >&2; sleep 0.1; printf "10%%\\r100%%\\nrest"'),
    )
    expect(lines).toEqual(['out: one', 'err: zwölf', 'out: 100%', 'out: rest'])
  })

  test('returns all of many lines', async () => {
    const { lines } = await runCommand(sh('i=0; while [ $i -lt 5000 ]; do echo $i; i=$((i+1)); done'))
    expect(lines).toEqual(Array.from({ length: 5000 }, (_, i) => `out: ${i}`))
  })

  test('has no input', async () => {
    expect((await runCommand(['cat'])).outcome).toEqual({ kind: 'exited', code: 0 })
  })

  test('does not inherit environment variables of Kustos', async () => {
    vi.stubEnv('KUSTOS_TEST_SECRET', 'hunter2')
    const { lines } = await runCommand(['env'])
    vi.unstubAllEnvs()
    expect(lines.join('\n')).not.toContain('hunter2')
    expect(lines).toContain('out: LANG=C.UTF-8')
  })

  test('may leave its output open to a child', async () => {
    const { outcome, lines } = await runCommand(sh('sleep 20 & echo $!'))
    expect(outcome).toEqual({ kind: 'exited', code: 0 })
    process.kill(Number(lines[0]?.replace('out: ', '')))
  })

  test('gets its arguments literally, without a shell', async () => {
    const marker = join(folder, newRunId())
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
    const { outcome, lines } = await runCommand([process.execPath, '-e', script, '--', ...payloads])
    expect(outcome).toEqual({ kind: 'exited', code: 0 })
    expect(JSON.parse(lines.join('').replace('out: ', ''))).toEqual(payloads)
    expect(await exists(marker)).toBe(false)
  })

  test.each(['../run', 'a/b', '', 'a b', '$(run)', '.'])('rejects the run id %j', async (runId) => {
    await expect(runCommand(['true'], runId)).rejects.toThrow('is not a valid run id')
    await expect(runner.recover(runId)).rejects.toThrow('is not a valid run id')
  })

  test.each([[''], ['-c'], ['true', 'a\0b']] as const)('rejects the arguments %j', async (...argv) => {
    await expect(runCommand(argv)).rejects.toThrow()
  })

  test('is not started if its run cannot be recorded', async () => {
    await runCommand(['true'])
    await writeFile(join(runsFolder, 'blocked'), '')
    const marker = join(folder, newRunId())
    await expect(runCommand(['touch', marker], 'blocked')).rejects.toMatchObject({
      codedMessage: { code: 'node_cannot_start', params: { node: 'node-01' } },
    })
    expect(await exists(marker)).toBe(false)
  })

  test('runs at the same time as others', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) => runCommand(sh('sleep 0.3; echo "$1"', `${i}`))),
    )
    expect(all.map(({ lines }) => lines)).toEqual(Array.from({ length: 12 }, (_, i) => [`out: ${i}`]))
  })
})

test.each(['..', '.', '', 'a/b', '../nodes'])('rejects a node named %j', (name) => {
  const runners = open({ local: { folder: join(folder, 'nodes') } })
  expect(() => runners.node({ name, plesk_fqdn: 'node.test' })).toThrow('node_name_unusable')
})
