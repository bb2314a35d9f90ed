import { sentenceOf } from '@kustos/domain/log'
import { run } from './commands/run.ts'

/** What an operator does without a browser. */
try {
  await run(process.argv.slice(2))
} catch (error) {
  // Never with the values of a statement, among which is the hash of a password.
  process.stderr.write(`${sentenceOf(error)}\n`)
  process.exitCode = 1
}
