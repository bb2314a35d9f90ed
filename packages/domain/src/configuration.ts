import { z } from 'zod'

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))

const variables = z.object({
  /** postgres://…; the one-command start brings a database of its own where it is unset. */
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'must look like postgres://user:password@host:5432/database')
    .optional(),
  PORT: wholeNumber(1, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  /** Signs the session cookie. */
  SESSION_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  /** Addresses (CIDR, comma-separated) of the proxies whose X-Forwarded headers count. */
  TRUST_PROXY: z
    .string()
    .transform((list) => list.split(',').map((entry) => entry.trim()))
    .pipe(
      z.array(
        z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], 'must list addresses or networks (CIDR)'),
      ),
    )
    .default([]),
  /** Part of the host names that are the operator's own, kept out of monitoring and tracking lists. */
  INTERNAL_DOMAIN_MARKER: z.string().default(''),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be a level of pino, such as info',
    )
    .default('info'),
  KUSTOS_DATA_DIR: z.string().default('.kustos'),
  /** How many webs the sandbox's inventory holds. */
  KUSTOS_SANDBOX_WEBS: wholeNumber(1, 200_000).default(60),
})

export type Configuration = z.output<typeof variables>

export type ReadConfiguration =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly sentence: string }

/** Reads the environment once, at the start. An empty variable counts as unset; a wrong one is named in a sentence. */
export function readConfiguration(
  environment: Readonly<Record<string, string | undefined>>,
): ReadConfiguration {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== '')
  const parsed = variables.safeParse(Object.fromEntries(given))
  if (parsed.success) return { ok: true, configuration: parsed.data }
  const [issue] = parsed.error.issues
  return { ok: false, sentence: `${String(issue?.path[0])} ${issue?.message}.` }
}
