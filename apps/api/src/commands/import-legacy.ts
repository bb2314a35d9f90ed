import type { LegacyLine, LegacyReport } from '@kustos/domain/imports'
import { z } from 'zod'
import {
  type Command,
  CommandError,
  type ParsedArgs,
  print,
  readPassword,
  requireConfiguration,
  toPrintable,
  withDatabase,
} from './command.ts'

/** Other parts cannot be skipped: these depend on them. */
const skippable = ['users', 'external-domains', 'domains', 'emails', 'uptime'] as const

const optionsSchema = z.object({
  email: z.string('--email is missing: the e-mail address of a user of the former system'),
  origin: z.string().optional(),
  timeout: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, '--timeout must be a number of seconds')
    .transform((seconds) => Number(seconds) * 1000)
    .optional(),
  overwrite: z.boolean().default(false),
  skip: z.array(z.enum(skippable, `--skip must be one of ${skippable.join(', ')}`)).default([]),
})

export const importLegacyCommand: Command = {
  name: 'import legacy',
  usage: `  import legacy URL --email EMAIL            imports the data of the former system at URL through its API; the
                                             password is read from standard input. It can be repeated: existing
                                             rows stay unchanged, unless --overwrite updates them
                                             (--skip PART skips ${skippable.slice(0, 3).join(', ')},
                                             ${skippable.slice(3).join(' or ')}; --origin URL is the address of its frontend, if
                                             different; --timeout SECONDS limits the wait for a response)`,
  positionals: ['URL'],
  options: {
    email: { type: 'string' },
    origin: { type: 'string' },
    timeout: { type: 'string' },
    overwrite: { type: 'boolean' },
    skip: { type: 'string', multiple: true },
  },
  run: runLegacyImport,
}

async function runLegacyImport({ positionals: [url], values }: ParsedArgs): Promise<void> {
  if (url === undefined) throw new CommandError('URL is missing: the address of the former system.')
  const parsed = optionsSchema.safeParse(values)
  if (!parsed.success)
    throw new CommandError(parsed.error.issues.map(({ message }) => `${message}.`).join('\n'))
  const { email, origin: frontendOrigin, timeout: idleTimeoutMs, overwrite, skip } = parsed.data
  const { LIMITIS_API_URL: registrar, LIMITIS_API_TOKEN: token } = requireConfiguration()
  const password = await readPassword()
  const { importLegacy } = await import('@kustos/domain/imports')
  const report = await withDatabase((_, context) =>
    importLegacy(
      context,
      {
        url,
        frontendOrigin,
        email,
        password,
        idleTimeoutMs,
        overwrite,
        skip: new Set(skip),
        hasRegistrar: registrar !== undefined && token !== undefined,
      },
      printLine,
    ),
  )
  printSummary(report)
}

/** Progress goes to standard error, since it is not part of the report. */
function printLine({ kind, part, sentence }: LegacyLine): void {
  const line = `${part}: ${toPrintable(sentence, 400)}`
  if (kind === 'progress') process.stderr.write(`${line}\n`)
  else print(kind === 'problem' ? `SKIPPED  ${line}` : `note  ${line}`)
}

/** Prints a line for each part. @throws CommandError if something was skipped */
function printSummary({ counts }: LegacyReport): void {
  let problems = 0
  for (const [part, count] of counts) {
    problems += count.problems
    print(
      `${part}: ${count.added} added, ${count.changed} changed, ${count.unchanged} unchanged, ${count.differing} different and kept, ${count.problems} skipped`,
    )
  }
  if (problems > 0) {
    throw new CommandError(
      `Not everything was imported: see the ${problems} lines above that start with SKIPPED. Imported rows stay. Correct the causes and run the command again.`,
    )
  }
}
