import type { LegacyLine, LegacyReport } from '@kustos/domain/imports'
import { z } from 'zod'
import {
  type Command,
  configured,
  type ParsedArgs,
  Refusal,
  readPassword,
  say,
  shown,
  withDatabase,
} from './command.ts'

/** What may be left out: the webs are what all the rest hangs on. */
const skippable = ['users', 'external-domains', 'domains', 'emails', 'uptime'] as const

const typedOptions = z.object({
  email: z.string('--email is missing: it is the login at the former system'),
  origin: z.string().optional(),
  timeout: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, '--timeout is in whole seconds')
    .transform(Number)
    .optional(),
  overwrite: z.boolean().default(false),
  skip: z.array(z.enum(skippable, `--skip takes ${skippable.join(', ')}`)).default([]),
})

export const takeLegacy: Command = {
  name: 'import legacy',
  usage: `  import legacy URL --email EMAIL            copies what the former system at URL tells through its own calls; the
                                             password comes from standard input. Safe to run again: rows that are
                                             there stay, unless --overwrite takes the former system's values
                                             (--skip PART leaves out ${skippable.slice(0, 3).join(', ')},
                                             ${skippable.slice(3).join(' or ')}; --origin URL is where staff open it, if elsewhere;
                                             --timeout SECONDS is what an answer may take)`,
  positionals: ['URL'],
  options: {
    email: { type: 'string' },
    origin: { type: 'string' },
    timeout: { type: 'string' },
    overwrite: { type: 'boolean' },
    skip: { type: 'string', multiple: true },
  },
  run: copyLegacy,
}

async function copyLegacy({ positionals: [url], values }: ParsedArgs): Promise<void> {
  if (url === undefined) throw new Refusal('An import is from a URL.')
  const typed = typedOptions.safeParse(values)
  if (!typed.success) throw new Refusal(typed.error.issues.map(({ message }) => `${message}.`).join('\n'))
  const { email, origin, timeout, overwrite, skip } = typed.data
  const { LIMITIS_API_URL: registrar, LIMITIS_API_TOKEN: token } = configured()
  const password = await readPassword()
  const { importLegacy } = await import('@kustos/domain/imports')
  const report = await withDatabase((_, context) =>
    importLegacy(
      context,
      {
        url,
        frontEnd: origin,
        email,
        password,
        timeout: timeout === undefined ? null : timeout * 1000,
        overwrite,
        skip: new Set(skip),
        hasRegistrar: registrar !== undefined && token !== undefined,
      },
      tell,
    ),
  )
  sumUp(report)
}

/** The progress is not part of the report. */
function tell({ kind, part, sentence }: LegacyLine): void {
  const line = `${part}: ${shown(sentence, 400)}`
  if (kind === 'progress') process.stderr.write(`${line}\n`)
  else say(kind === 'problem' ? `NOT TAKEN  ${line}` : `note  ${line}`)
}

/** A line for each part. @throws Refusal where something was left out, once all is said */
function sumUp({ sums }: LegacyReport): void {
  let problems = 0
  for (const [part, sum] of sums) {
    problems += sum.problems
    say(
      `${part}: ${sum.added} added, ${sum.changed} changed, ${sum.unchanged} as they were, ${sum.differing} differ and stay, ${sum.problems} not taken`,
    )
  }
  if (problems > 0) {
    throw new Refusal(
      `Not all was taken: see the ${problems} lines above that begin with NOT TAKEN. What was taken stays; run it again once they are put right.`,
    )
  }
}
