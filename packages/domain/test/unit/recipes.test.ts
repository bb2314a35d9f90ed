import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalRunners } from '@kustos/clients/runner'
import { deploymentKinds } from '@kustos/contract/deployment'
import { englishText } from '@kustos/contract/messages/english'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { StepFailure } from '../../src/deployment/failure.ts'
import { fillArgv, type RecipeValues, readRecipes } from '../../src/deployment/recipes.ts'

const values: RecipeValues = {
  fqdn: 'www.xn--gasthof-lwen-wfb.test',
  customer: 'LÖWEN',
  deployment: '12',
  web: '7',
  repository: 'web134-loewen.test',
  clone_url: 'https://bitbucket.org/agency/web134-loewen.test.git',
  source: 'web134-kickstarter-base',
  sysuser: 'bn12',
  node: 'bz-cloud-01.hosting.test',
}

const folder = await mkdtemp(join(tmpdir(), 'kustos-recipes-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const preFlight = { name: 'Pre-flight', place: 'builtin', do: 'pre-flight' }
const all = Object.fromEntries(deploymentKinds.map((kind) => [kind, [preFlight]]))
const command = (argv: unknown, more = {}) => [
  preFlight,
  { name: 'Do', place: 'node', argv, timeout: 60, ...more },
]

async function read(content: unknown) {
  const path = join(folder, 'recipes.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return readRecipes(path)
}

test('the shipped recipes have all actions, and messages for the names of their steps', async () => {
  const recipes = await readRecipes(undefined)
  for (const kind of deploymentKinds) {
    expect(recipes[kind], kind).toBeDefined()
    for (const step of recipes[kind] ?? []) expect(englishText({ code: step.code ?? '' })).toBe(step.name)
  }
})

describe('the shipped recipes', async () => {
  const recipes = await readRecipes(undefined)

  test.each(deploymentKinds)(
    '%s starts with the pre-flight check and uses known placeholders only',
    (kind) => {
      const recipe = recipes[kind] ?? []
      expect(recipe[0]).toMatchObject({ do: 'pre-flight' })
      for (const step of recipe) {
        if (step.place === 'builtin') continue
        expect(fillArgv(step.argv, values).join(' ')).not.toMatch(/[{}]/)
      }
    },
  )

  test('have scripts that a shell can read', () => {
    const steps = deploymentKinds.flatMap((kind) => recipes[kind] ?? [])
    const scripts = steps.flatMap((step) => {
      const start = step.place === 'builtin' ? -1 : step.argv.indexOf('-c')
      return step.place === 'builtin' || start < 0 ? [] : (step.argv[start + 1] ?? [])
    })
    expect(scripts.length).toBeGreaterThan(0)
    for (const script of scripts) {
      const { status, stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' })
      expect([status, stderr], script).toEqual([0, ''])
    }
  })

  test('keep dumps and backups from other users of the node, also in folders of an older version', async () => {
    const home = await mkdtemp(join(folder, 'home-'))
    for (const part of ['exports', 'kick', 'backups']) await mkdir(join(home, part), { mode: 0o755 })
    const steps = deploymentKinds.flatMap((kind) => recipes[kind] ?? [])
    const runners = openLocalRunners({ folder: join(folder, 'nodes') })
    for (const [index, step] of steps.entries()) {
      if (step.place === 'builtin' || !['install', 'mkdir'].includes(step.argv[0])) continue
      const [program, ...rest] = fillArgv(step.argv, values)
      const argv = [program, ...rest.map((text) => text.replace('/var/lib/kustos', home))] as const
      const outcome = await runners
        .node({ name: 'node', plesk_fqdn: 'node.test' })
        .run(
          { argv: [...argv], runId: `folder-${index}`, timeoutMs: 60_000 },
          { signal: new AbortController().signal, onLine: () => undefined },
        )
      expect(outcome).toEqual({ kind: 'exited', code: 0 })
    }
    for (const part of ['.', 'exports', 'kick', 'backups'])
      expect((await stat(join(home, part))).mode & 0o777, part).toBe(0o700)
  })

  test('give dumps and backups their names once they are complete', () => {
    const written = deploymentKinds.flatMap((kind) => {
      const commands = (recipes[kind] ?? []).map((step): readonly string[] =>
        step.place === 'builtin' ? [] : step.argv,
      )
      return commands.flatMap((argv, index) => {
        const [file] = /\/var\/lib\/kustos\/\S+$/.exec(argv.at(-1) ?? '') ?? []
        const isOutput = argv.includes('--output-file') || argv.at(-1)?.startsWith('--result-file=')
        return file && isOutput ? [{ kind, file, next: commands[index + 1] }] : []
      })
    })
    expect(written.map(({ kind }) => kind).toSorted()).toEqual(
      ['backupWeb', 'exportDatabase', 'exportDatabaseKick', 'importDatabase'].toSorted(),
    )
    for (const { kind, file, next } of written)
      expect([kind, next]).toEqual([kind, ['mv', '-f', '--', file, file.replace(/\.part$/, '')]])
    expect(written.filter(({ file }) => !file.endsWith('.part'))).toEqual([])
  })

  test('import no export of another web that had the name before', () => {
    const exportsOf = (web: string) =>
      [...(recipes.exportDatabase ?? []), ...(recipes.importDatabase ?? [])].flatMap((step) => {
        if (step.place === 'builtin') return []
        const argv = fillArgv(step.argv, { ...values, web }).join(' ')
        return [...argv.matchAll(/\/exports\/\S+/g)].map(([path]) => path.replace(/\.part$/, ''))
      })
    expect(new Set(exportsOf('7')).size).toBe(1)
    expect(exportsOf('8')).not.toContain(exportsOf('7')[0])
  })

  test('let the web server read what git checks out', () => {
    const steps = deploymentKinds.flatMap((kind) => recipes[kind] ?? [])
    const git = steps.filter((step) => step.place !== 'builtin' && step.argv.includes('git'))
    expect(git.length).toBeGreaterThan(0)
    for (const step of git) expect(step, step.name).toMatchObject({ umask: '022' })
  })

  test('back up a database before an import unless the option is off', () => {
    const steps = recipes.importDatabase ?? []
    const backup = steps.findIndex((step) => step.place !== 'builtin' && step.only === 'backup')
    expect(backup).toBeGreaterThan(0)
    expect(backup).toBeLessThan(steps.findIndex(({ name }) => name.startsWith('Import')))
  })
})

describe('rejects recipes', () => {
  test.each<[string, unknown, RegExp]>([
    [
      'a command on the controller',
      { ...all, updateWeb: [preFlight, { name: 'Do', place: 'controller', argv: ['true'], timeout: 60 }] },
      /updateWeb, step 2, place: must be node or builtin/,
    ],
    ['that are not JSON', '{', /cannot be read/],
    [
      'of a kind that does not exist',
      { ...all, dropDatabase: [preFlight] },
      /wrong: the file: .*dropDatabase/,
    ],
    [
      'without a pre-flight',
      { ...all, updateWeb: command(['ls']).slice(1) },
      /wrong: updateWeb: .*pre-flight/,
    ],
    ['with a command line', { ...all, updateWeb: command('rm -rf /') }, /updateWeb, step 2, argv: /],
    ['without a command', { ...all, updateWeb: command([]) }, /updateWeb, step 2, argv/],
    [
      'whose program is a placeholder',
      { ...all, updateWeb: command(['{fqdn}']) },
      /argv\.0: must be the name/,
    ],
    ['whose program is an option', { ...all, updateWeb: command(['-c']) }, /argv\.0: must be the name/],
    [
      'with an unknown placeholder',
      { ...all, updateWeb: command(['ls', '{path}']) },
      /updateWeb, step 2, argv: has no value for \{path\}/,
    ],
    [
      'with a placeholder that this kind lacks',
      { ...all, updateWeb: command(['ls', '{source}']) },
      /updateWeb, step 2, argv: has no value for \{source\}/,
    ],
    [
      'that substitute a value in a script',
      { ...all, updateWeb: command(['runuser', '-u', 'x', '--', 'bash', '-lc', 'ls {fqdn}']) },
      /updateWeb, step 2, argv: must not fill a value into a script/,
    ],
    [
      'whose pre-flight asks for what a new web does not have yet',
      { ...all, newWeb: [{ ...preFlight, taken: [['ls', '{web}']] }] },
      /newWeb, step 1, taken: has no value for \{web\}/,
    ],
    [
      'with a step without a name',
      { ...all, updateWeb: [{ ...preFlight, name: undefined }] },
      /step 1, name/,
    ],
    ['with an unknown code', { ...all, updateWeb: [{ ...preFlight, code: 'step_of_ours' }] }, /step 1, code/],
    ['without a timeout', { ...all, updateWeb: command(['ls'], { timeout: 0 }) }, /step 2, timeout/],
    ['with an unusable umask', { ...all, updateWeb: command(['ls'], { umask: '8' }) }, /step 2, umask/],
    ['with an unknown field', { ...all, updateWeb: command(['ls'], { shell: true }) }, /shell/],
    [
      'with an unknown built-in step',
      { ...all, updateWeb: [preFlight, { name: 'Do', place: 'builtin', do: 'drop' }] },
      /updateWeb, step 2, do/,
    ],
  ])('%s', async (_name, content, sentence) => {
    await expect(read(content)).rejects.toThrow(sentence)
    await expect(read(content)).rejects.toThrow(join(folder, 'recipes.json'))
  })
})

test('reads a file that lacks a kind', async () => {
  const recipes = await read({ ...all, backupWeb: undefined })
  expect(recipes.backupWeb).toBeUndefined()
  expect(recipes.updateWeb).toHaveLength(1)
})

test('accepts comments in recipes', async () => {
  const recipes = await read({
    comment: 'All.',
    ...all,
    updateWeb: command(['ls'], { comment: 'This one.' }),
  })
  expect(recipes.updateWeb).toHaveLength(2)
})

test.each<[string, Partial<Record<keyof RecipeValues, string | undefined>>]>([
  ['missing', { fqdn: undefined }],
  ['empty', { fqdn: '' }],
  ['an option', { fqdn: '-rf' }],
  ['another line', { fqdn: 'a\nb' }],
  ['truncated by a null character', { fqdn: 'a\u0000b' }],
  ['another folder', { fqdn: '..' }],
  ['a path to a parent folder', { fqdn: '../../etc' }],
  ['a path', { fqdn: 'a/b' }],
  ['an address that is an option', { clone_url: '--upload-pack=touch' }],
  ['an address with a path to a parent folder', { clone_url: 'https://bitbucket.org/../x' }],
])('rejects a value that is %s', (_name, invalid) => {
  const argv = ['ls', '/exports/{fqdn}.sql', '{clone_url}'] as const
  const filled: Record<string, string | undefined> = { ...values, ...invalid }
  expect(() => fillArgv([...argv], JSON.parse(JSON.stringify(filled)))).toThrow(StepFailure)
})

test('keeps substituted values literally in their argument', () => {
  const element = fc.array(
    fc.oneof(fc.string(), fc.constantFrom('{fqdn}', '{customer}', '{clone_url}', '$&', '{', '}')),
  )
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('$(id)', '`id`', "'; id", '$&', '$1', '{customer}', '-x', 'a b', '"'),
  )
  fc.assert(
    fc.property(fc.array(element), value, value, value, (parts, fqdn, customer, clone_url) => {
      const values: Record<string, string> = { fqdn, customer, clone_url }
      const argv: [string, ...string[]] = ['program', ...parts.map((part) => part.join(''))]
      let filled: string[]
      try {
        filled = fillArgv(argv, values)
      } catch (error) {
        expect(error).toBeInstanceOf(StepFailure)
        return
      }
      expect(filled).toHaveLength(argv.length)
      for (const [index, text] of filled.entries()) {
        const before = argv[index] ?? ''
        const expected = before
          .split(/(\{fqdn\}|\{customer\}|\{clone_url\})/)
          .map((part) => (/^\{(fqdn|customer|clone_url)\}$/.test(part) ? values[part.slice(1, -1)] : part))
        expect(text).toBe(expected.join(''))
        if (!before.startsWith('-')) expect(text).not.toMatch(/^-/)
      }
    }),
    { numRuns: 500 },
  )
})
