import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildFrontend } from '../apps/sandbox/src/build-frontend.ts'
import { headlessShells, namedBrowser } from '../e2e/harness/browser.ts'
import { findBrowser } from './browser.ts'
import { command } from './command.ts'
import { configuration } from './configuration.ts'
import { dependencies } from './dependencies.ts'
import { directions } from './directions.ts'
import { documents } from './documents.ts'
import { files } from './files.ts'
import { type Counts, fail, type Gate, type Outcome, pass } from './gate.ts'
import { kubernetes } from './kubernetes.ts'
import { migrations } from './migrations.ts'
import { observability } from './observability.ts'
import { installPrograms } from './programs.ts'
import { playwrightOutcome, vitestOutcome } from './reports.ts'

// `npm test`: runs every gate, whether others fail or not, and prints the sum of all tests in the last line.

const reports = await mkdtemp(join(tmpdir(), 'kustos-reports-'))
let browser = ''
// Hundreds of processes are started, each of which would strip the types of the same files and compile them.
process.env.NODE_COMPILE_CACHE ??= join(reports, 'compile-cache')

const check = (name: string, file: string, ...args: string[]): Gate => ({
  name,
  run: async () => {
    const { ok, output } = await command(file, args, { seconds: 180 })
    return ok ? pass : fail(output)
  },
})

/** Runs a project of vitest.config.ts. */
const tests = (name: string, ...args: string[]): Gate => ({
  name,
  run: async () => {
    const report = join(reports, `${name}.json`)
    const options = ['--reporter=dot', '--reporter=./.ci/counting-reporter.ts', ...args]
    const env = { KUSTOS_BROWSER: browser, KUSTOS_TEST_COUNTS: report }
    return await vitestOutcome(report, async (files) => {
      await rm(report, { force: true })
      return await command('vitest', ['run', ...files, '--project', name, ...options], { env, seconds: 1200 })
    })
  },
})

const e2e: Gate = {
  name: 'e2e',
  run: async () => {
    if (browser === '') return fail('The end-to-end tests need a browser.')
    const report = join(reports, 'e2e.json')
    const hasShell = namedBrowser() === undefined && headlessShells().length > 0
    const env = { ...(!hasShell && { KUSTOS_BROWSER: browser }), PLAYWRIGHT_JSON_OUTPUT_FILE: report }
    const args = ['test', '--config', 'e2e', '--reporter=dot,json']
    return playwrightOutcome(
      await command('e2e/node_modules/.bin/playwright', args, { env, seconds: 1500 }),
      report,
    )
  },
}

/** Stages run in order. The gates of a stage run side by side, those in a nested list one after the other. */
const stages: readonly (readonly (Gate | readonly Gate[])[])[] = [
  [
    check('types', 'tsc', '-b'),
    check('lint', 'biome', 'check', '--error-on-warnings'),
    check('unused', 'knip'),
    { name: 'directions', run: directions },
    { name: 'files', run: files },
    { name: 'dependencies', run: dependencies },
    { name: 'documents', run: documents },
    { name: 'migrations', run: migrations },
    { name: 'configuration', run: configuration },
    { name: 'observability', run: observability },
    { name: 'kubernetes', run: kubernetes },
    {
      // The API and its tests serve this build. It is built as in the sandbox, which would repeat any other build.
      name: 'build',
      run: async () => {
        await buildFrontend(join(reports, 'build.log'), AbortSignal.timeout(180_000))
        return pass
      },
    },
    tests('unit'),
    // Package managers run one at a time.
    [
      { name: 'programs', run: installPrograms },
      {
        name: 'browser',
        run: async () => {
          const found = await findBrowser()
          if (!found.ok) return fail(found.sentence)
          browser = found.path
          return pass
        },
      },
    ],
  ],
  // The sandbox's tests mostly wait for processes. One file at a time does not slow the integration tests down.
  [tests('integration'), tests('sandbox', '--maxWorkers=1')],
  [e2e],
]

const kinds = ['passed', 'failed', 'skipped', 'flaky'] as const
const sum = { passed: 0, failed: 0, skipped: 0, flaky: 0 }
for (const stage of stages)
  await Promise.all(
    stage.map(async (entry) => {
      for (const gate of [entry].flat()) await reportGate(gate)
    }),
  )
await rm(reports, { recursive: true, force: true })

process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0
console.log(`\n${formatCounts(sum, ['passed', 'failed'])}`)

/** Runs a gate, prints its line and adds its counts to the sum. */
async function reportGate(gate: Gate): Promise<void> {
  const start = performance.now()
  const outcome = await runGate(gate)
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(6)
  process.stdout.write(`${gate.name.padEnd(14)}${seconds} s   ${formatCounts(outcome, ['passed'])}\n`)
  if (outcome.output !== '') process.stdout.write(`${outcome.output.trimEnd().replace(/^/gm, '  ')}\n`)
  for (const kind of kinds) sum[kind] += outcome[kind]
}

/** @param always the counts that are shown even if they are 0 */
function formatCounts(counts: Counts, always: readonly (keyof Counts)[]): string {
  return kinds
    .filter((kind) => counts[kind] > 0 || always.includes(kind))
    .map((kind) => `${counts[kind]} ${kind}`)
    .join(', ')
}

/** A gate that throws has failed; the others still run. */
async function runGate(gate: Gate): Promise<Outcome> {
  try {
    return await gate.run()
  } catch (error) {
    return fail(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}
