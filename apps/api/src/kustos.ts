import { describeError } from '@kustos/domain/platform/logger'
import { run } from './commands/run.ts'

/** The command line for operators. */
try {
  await run(process.argv.slice(2))
} catch (error) {
  // Without the values of a statement, which may contain a password hash.
  process.stderr.write(`${describeError(error)}\n`)
  process.exitCode = 1
}
