import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { root } from './command.ts'

// `pnpm test:faults --kills 200 --seed 7`: runs the fault tests with that many random kills.

const { values } = parseArgs({
  options: {
    /** The total; half of them with jobs on Redis if it is installed and no backend is named. */
    kills: { type: 'string', default: '10' },
    /** `postgres`, `redis` or `cluster` (Redis Cluster); by default the first two, one after the other. */
    backend: { type: 'string', default: '' },
    /** Determines when which process is killed; the same seed repeats a run. */
    seed: { type: 'string', default: '2026' },
  },
})
const { kills, seed, backend } = values
if (![kills, seed].every((value) => /^\d{1,6}$/.test(value))) {
  process.stderr.write('--kills and --seed are whole numbers.\n')
  process.exit(1)
}
if (!['', 'postgres', 'redis', 'cluster'].includes(backend)) {
  process.stderr.write('--backend is postgres, redis or cluster.\n')
  process.exit(1)
}
const child = spawn('vitest', ['run', '--project', 'faults'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    KUSTOS_FAULTS_KILLS: kills,
    KUSTOS_FAULTS_SEED: seed,
    KUSTOS_FAULTS_BACKEND: backend,
  },
})
child.once('exit', (code) => process.exit(code ?? 1))
