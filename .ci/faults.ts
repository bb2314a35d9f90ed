import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { root } from './command.ts'

// `pnpm test:faults --kills 200 --seed 7`: the suite of faults, with as many random kills as one has time for.

const { values } = parseArgs({
  options: {
    /** In all; with Redis installed half of them with the jobs there, unless one place is named. */
    kills: { type: 'string', default: '10' },
    /** Where the jobs are: postgres, or redis; both one after the other where neither is named. */
    backend: { type: 'string', default: '' },
    /** Chooses the moments and what is killed; the same again with the same one. */
    seed: { type: 'string', default: '2026' },
  },
})
const { kills, seed, backend } = values
if (![kills, seed].every((value) => /^\d{1,6}$/.test(value))) {
  process.stderr.write('--kills and --seed are whole numbers.\n')
  process.exit(1)
}
if (!['', 'postgres', 'redis'].includes(backend)) {
  process.stderr.write('--backend is postgres or redis.\n')
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
