import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { command, root } from './command.ts'
import { fail, judge, type Outcome } from './gate.ts'
import { sources } from './sources.ts'

interface Case {
  /** The path of the importing file, which does not exist in the repository. */
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

/** Imports of the web app's layers, relative to a folder. */
const layers = (base: string, ...names: readonly string[]) =>
  names.map((name) => `${base}${name}/webs/tried.ts`)

/** Imports that the linter must allow and refuse. */
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
      '../platform/context.ts',
      '../platform/logger/index.ts',
      './list.ts',
      './refresh/framework.ts',
    ],
    wrong: [
      ...others('contract/webs', 'database/client', 'domain/webs'),
      ...['fastify', '@fastify/cookie', 'bullmq', '../users/current-user.ts', '../auth/passwords.ts'],
      '../imports/legacy/ids.ts',
    ],
  },
  {
    file: 'packages/domain/src/webs/refresh/tried.ts',
    right: ['../../platform/context.ts', '../../users/index.ts', '../list.ts', './framework.ts'],
    wrong: [...others('contract/webs', 'database/client'), 'bullmq', '../../users/current-user.ts'],
  },
  {
    file: 'packages/domain/src/platform/tried.ts',
    right: ['@kustos/contract/webs', '@kustos/clients/queue', './context.ts', './logger/index.ts'],
    wrong: [...others('contract/webs', 'database/client'), 'bullmq', '../users/index.ts'],
  },
  {
    file: 'packages/domain/src/platform/logger/tried.ts',
    right: ['@kustos/contract/auth', '../configuration.ts', './secrets.ts'],
    wrong: [...others('contract/webs', 'database/client'), 'fastify', '../../users/index.ts'],
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
    file: 'apps/web/src/platform/tried.ts',
    right: ['@kustos/contract/webs', 'react', './client.ts', './messages/translation.ts'],
    wrong: [...others('contract/webs'), 'node:path', ...layers('../', 'ui', 'entities', 'features', 'app')],
  },
  {
    file: 'apps/web/src/platform/messages/tried.ts',
    right: ['@kustos/contract/webs', '../client.ts'],
    wrong: layers('../../', 'ui', 'entities', 'features', 'app'),
  },
  {
    file: 'apps/web/src/ui/tried.ts',
    right: ['@kustos/contract/webs', '../platform/client.ts', './data-grid/DataGrid.tsx'],
    wrong: [...others('contract/webs'), 'node:path', ...layers('../', 'entities', 'features', 'app')],
  },
  {
    file: 'apps/web/src/ui/data-grid/tried.ts',
    right: ['../../platform/client.ts', '../Section.tsx', './types.ts'],
    wrong: layers('../../', 'entities', 'features', 'app'),
  },
  {
    file: 'apps/web/src/entities/web/tried.ts',
    right: ['@kustos/contract/webs', ...layers('../../', 'platform', 'ui'), '../tracking/paths.ts'],
    wrong: [...others('contract/webs'), 'node:path', ...layers('../../', 'features', 'app')],
  },
  {
    file: 'apps/web/src/features/webs/tried.ts',
    right: ['@kustos/contract/webs', ...layers('../../', 'platform', 'ui', 'entities'), './list.ts'],
    wrong: [
      ...others('contract/webs'),
      ...['node:path', '../users/UserForm.tsx', '../../features/auth/login.ts'],
      ...layers('../../', 'app'),
    ],
  },
  {
    file: 'apps/web/src/features/webs/form/tried.ts',
    right: [...layers('../../../', 'platform', 'ui', 'entities'), '../list.ts', './fields.ts'],
    wrong: ['node:path', '../../users/UserForm.tsx', ...layers('../../../', 'features', 'app')],
  },
  {
    file: 'apps/web/src/app/tried.ts',
    right: ['@kustos/contract/webs', 'react', ...layers('../', 'platform', 'ui', 'entities', 'features')],
    wrong: [...others('contract/webs'), 'node:path'],
  },
]

/**
 * Checks the linter's import rules: it must allow right imports and refuse wrong ones. It runs on generated files in a
 * temporary folder, at the paths that the rules name.
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
    return judge([...cases.flatMap((one) => findViolations(one, refused)), ...(await findPackageCrossings())])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function findViolations({ file, right, wrong }: Case, refused: ReadonlySet<string>): string[] {
  return [...right, ...wrong].flatMap((name, index) => {
    const mustRefuse = index >= right.length
    if (refused.has(`${file}:${index + 1}`) === mustRefuse) return []
    return [`${file}: the linter ${mustRefuse ? 'allows' : 'refuses'} '${name}'`]
  })
}

/** Finds relative imports that leave their package, which the linter's rules do not see. */
async function findPackageCrossings(): Promise<string[]> {
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
