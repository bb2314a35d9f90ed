import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { command, root } from './command.ts'
import { fail, judge, type Outcome } from './gate.ts'
import { sources } from './sources.ts'

interface Case {
  /** Where the import stands; the repository has no such file. */
  readonly file: string
  readonly right: readonly string[]
  readonly wrong: readonly string[]
}

const packages = [
  'contract/webs',
  'database/client',
  'domain/webs',
  'api/server',
  'sandbox/seed',
  'web',
  'worker',
]
const others = (...known: string[]) =>
  packages.filter((name) => !known.includes(name)).map((name) => `@kustos/${name}`)

/** The rules of the house, as the linter has to hold them. */
const cases: readonly Case[] = [
  {
    file: 'packages/contract/src/tried.ts',
    right: ['zod', './permissions.ts', './webs/index.ts'],
    wrong: [...others('contract/webs'), 'node:crypto', 'react', 'drizzle-orm', 'fastify'],
  },
  {
    file: 'packages/contract/src/webs/tried.ts',
    right: ['zod', '../permissions.ts'],
    wrong: [...others('contract/webs'), 'node:fs'],
  },
  {
    file: 'packages/database/src/tables/tried.ts',
    right: ['@kustos/contract/webs', 'drizzle-orm/pg-core', 'pg'],
    wrong: [...others('contract/webs', 'database/client'), 'fastify', 'bullmq'],
  },
  {
    file: 'packages/clients/src/bitbucket/tried.ts',
    right: ['zod', 'undici', 'node:net'],
    wrong: ['@kustos/contract/webs', '@kustos/database/client', '@kustos/domain/webs'],
  },
  {
    file: 'packages/domain/src/webs/tried.ts',
    right: [
      '@kustos/contract/webs',
      '@kustos/database/client',
      '../users/index.ts',
      '../context.ts',
      './list.ts',
    ],
    wrong: [
      ...others('contract/webs', 'database/client', 'domain/webs'),
      ...['fastify', '@fastify/cookie', 'bullmq', '../users/current-user.ts', '../auth/passwords.ts'],
    ],
  },
  {
    file: 'apps/api/src/routes/tried.ts',
    right: ['@kustos/contract/webs', '@kustos/domain/webs', '@kustos/database/client', 'fastify'],
    wrong: [
      '@kustos/worker',
      '@kustos/web',
      '@kustos/sandbox/seed',
      'bullmq',
      'drizzle-orm',
      'drizzle-orm/pg-core',
    ],
  },
  {
    file: 'apps/worker/src/jobs/tried.ts',
    right: ['@kustos/contract/webs', '@kustos/domain/webs', '@kustos/database/client'],
    wrong: [
      '@kustos/api/server',
      '@kustos/web',
      '@kustos/sandbox/seed',
      'fastify',
      '@fastify/cookie',
      'drizzle-orm',
    ],
  },
  {
    file: 'apps/web/src/app/tried.ts',
    right: ['@kustos/contract/webs', 'react', '../features/webs/index.ts'],
    wrong: [...others('contract/webs'), 'node:path'],
  },
  {
    file: 'apps/web/src/features/webs/tried.ts',
    right: ['@kustos/contract/webs', '../../ui/Can.tsx', './list.ts'],
    wrong: [...others('contract/webs'), '../users/UserForm.tsx', '../auth/login.ts', 'node:path'],
  },
]

/**
 * Tries every rule on the linter: a right import has to pass it, a wrong one has to fail. The files that it is tried on
 * stand in a folder of their own, at the paths that the rules speak of.
 */
export async function directions(): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'kustos-directions-'))
  try {
    await cp(join(root, 'biome.json'), join(folder, 'biome.json'))
    for (const { file, right, wrong } of cases) {
      await mkdir(join(folder, dirname(file)), { recursive: true })
      await writeFile(join(folder, file), [...right, ...wrong].map((name) => `import '${name}'\n`).join(''))
    }
    const flags = [
      '--vcs-enabled=false',
      '--only=style/noRestrictedImports',
      '--reporter=github',
      '--max-diagnostics=none',
    ]
    const { output } = await command('biome', ['lint', ...flags], { directory: folder })
    const refused = new Set(
      [...output.matchAll(/noRestrictedImports,file=(?:[^,]*\/)?((?:apps|packages)\/[^,]+),line=(\d+)/g)].map(
        ([, file, line]) => `${file}:${line}`,
      ),
    )
    if (refused.size === 0) return fail(`The linter refuses no import at all:\n${output}`)
    return judge([...cases.flatMap((one) => complaintsOf(one, refused)), ...(await crossings())])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function complaintsOf({ file, right, wrong }: Case, refused: ReadonlySet<string>): string[] {
  return [...right, ...wrong].flatMap((name, index) => {
    const wanted = index >= right.length
    if (refused.has(`${file}:${index + 1}`) === wanted) return []
    return [`${file}: the linter ${wanted ? 'allows' : 'refuses'} '${name}'`]
  })
}

/** The linter reads names; a relative path that climbs out of its package would slip past it. */
async function crossings(): Promise<string[]> {
  const modules = (await sources()).filter((file) => /^(packages|apps)\/.*\.tsx?$/.test(file))
  const complaints: string[] = []
  for (const file of modules) {
    const home = `${file.split('/').slice(0, 2).join('/')}/`
    const text = await readFile(join(root, file), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)) {
      const target = normalize(join(dirname(file), specifier))
      if (!target.startsWith(home)) complaints.push(`${file}: '${specifier}' leaves its package`)
    }
  }
  return complaints
}
