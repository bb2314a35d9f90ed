import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { domainToASCII } from 'node:url'
import { promisify } from 'node:util'
import { openBitbucket } from '@kustos/clients/bitbucket'
import { openLocalRunners, type Runners } from '@kustos/clients/runner'
import { kickstarters } from '@kustos/contract/bitbucket'
import { deploymentKinds } from '@kustos/contract/deployment'
import { type Recipes, readRecipes } from '@kustos/domain/deployment'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBitbucket } from '../src/bitbucket/index.ts'
import { prepareNodes, type SandboxNodes } from '../src/nodes/index.ts'
import { seedNodes } from '../src/seed/nodes-and-categories.ts'
import { type SandboxSites, startSites } from '../src/sites/index.ts'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'kustos-nodes-'))
const repository = join(folder, 'repository')
const origin = join(folder, 'origin.git')
const known = 'www.known.test'
const [node] = seedNodes
let nodes: SandboxNodes
let sites: SandboxSites
let runners: Runners
let recipes: Recipes
let deployments = 0

const git = (...argv: string[]) =>
  run('git', ['-C', repository, '-c', 'user.name=A', '-c', 'user.email=a@b.test', ...argv])

async function publish(title: string): Promise<void> {
  await writeFile(
    join(repository, 'public/index.html'),
    `<!doctype html><title>${title}</title><header data-host></header><main><h1>${title}</h1></main>`,
  )
  await git('add', '.')
  await git('commit', '-m', title)
  await git('push', '--quiet', origin, 'main')
}

beforeAll(async () => {
  await mkdir(join(repository, 'public'), { recursive: true })
  await run('git', ['init', '--quiet', '--initial-branch=main', repository])
  await run('git', ['init', '--quiet', '--initial-branch=main', '--bare', origin])
  await publish('Willkommen')
  nodes = await prepareNodes({ folder: join(folder, 'sandbox'), origins: { [known]: origin } })
  sites = await startSites({
    folder: join(folder, 'authority'),
    nodesFolder: nodes.nodesFolder,
    webs: new Map(),
  })
  runners = openLocalRunners({ folder: nodes.nodesFolder })
  recipes = await readRecipes(nodes.recipesFile)
})
afterAll(async () => {
  await runners.close()
  await sites.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the commands of a recipe on the node, without its built-in steps. */
async function deploy(
  kind: keyof Recipes,
  fqdn: string,
  { cloneUrl = origin, web = 7 } = {},
): Promise<{ failed: string | null; lines: string[] }> {
  deployments += 1
  const values: Record<string, string> = {
    fqdn,
    customer: 'LÖWEN',
    deployment: String(deployments),
    web: String(web),
    repository: 'web134-known.test',
    clone_url: cloneUrl,
    source: kickstarters[0] ?? '',
    sysuser: 'bn12',
  }
  const fill = (text: string) => text.replace(/\{([a-z_]+)\}/g, (_, name: string) => values[name] ?? '')
  const lines: string[] = []
  for (const [index, step] of (recipes[kind] ?? []).entries()) {
    if (step.place === 'builtin') continue
    const [command, ...rest] = step.argv
    const outcome = await runners.node(node).run(
      {
        argv: [command, ...rest.map(fill)],
        runId: `d${deployments}-${index}`,
        timeoutMs: step.timeout * 1000,
      },
      { signal: new AbortController().signal, onLine: (_source, text) => lines.push(text) },
    )
    if (outcome.kind !== 'exited' || outcome.code !== 0) return { failed: step.name, lines }
  }
  return { failed: null, lines }
}

async function visit(host: string, path = '/'): Promise<{ status: number; body: string }> {
  const port = sites.ports.http
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
      .once('error', reject)
      .end()
  })
}

const nodePath = (...path: string[]) => join(nodes.nodesFolder, node.name, ...path)
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

function executeSql(fqdn: string, sql: string): void {
  const database = new DatabaseSync(nodePath('webs', fqdn, 'database.sqlite'))
  database.exec(sql)
  database.close()
}
function readHeaders(fqdn: string): unknown[] {
  const database = new DatabaseSync(nodePath('webs', fqdn, 'database.sqlite'), { readOnly: true })
  const rows = database.prepare('select header from tt_content order by uid').all()
  database.close()
  return rows.map(({ header }) => header)
}

test('serves a new web from its repository with the content of the kick dump', async () => {
  const fqdn = 'xn--lwen-5qa.test'
  expect((await visit(fqdn)).status).toBe(404)
  const { failed, lines } = await deploy('newWeb', fqdn)
  expect({ failed, lines }).toMatchObject({ failed: null })
  const { status, body } = await visit(fqdn)
  expect(status).toBe(200)
  expect(body).toContain('<header data-host>löwen.test</header>')
  expect(body).toContain('<section>Anreise</section>')
  expect(readHeaders(fqdn)).toHaveLength(21)
  expect(lines.length).toBeGreaterThan(15)
  // An interrupted deployment can be repeated.
  expect((await deploy('newWeb', fqdn)).failed).toBeNull()
})

test("clones a new web from the sandbox's Bitbucket", async () => {
  const bitbucket = await startBitbucket(join(folder, 'bitbucket'))
  const { url, workspace, token } = bitbucket
  const client = openBitbucket({ url, workspace, credentials: token })
  try {
    const source = await client.find(kickstarters[0] ?? '')
    const { failed, lines } = await deploy('newWeb', 'www.forked.test', { cloneUrl: source?.clone_url ?? '' })
    expect({ failed, lines }).toMatchObject({ failed: null })
    expect((await visit('www.forked.test')).body).toContain('<header data-host>www.forked.test</header>')
    expect((await visit('www.forked.test', '/impressum.html')).status).toBe(200)
  } finally {
    await client.close()
    await bitbucket.stop()
  }
})

test('has steps for every kind of deployment', () => {
  expect(deploymentKinds.filter((kind) => recipes[kind] === undefined)).toEqual([])
})

test('updates a web to the latest commit', async () => {
  expect((await deploy('updateWeb', known)).failed).toBeNull()
  expect((await visit(known)).body).toContain('<h1>Willkommen</h1>')
  await publish('Neu gestaltet')
  const { failed, lines } = await deploy('updateWeb', known)
  expect(failed).toBeNull()
  expect(lines.join('\n')).toContain('Neu gestaltet')
  expect((await visit(known)).body).toContain('<h1>Neu gestaltet</h1>')
})

test('creates the folder of a web without a repository on its first deployment', async () => {
  const fqdn = domainToASCII('www.müllerbräu.test')
  expect((await deploy('updateWeb', fqdn)).failed).toBeNull()
  expect((await visit(fqdn)).body).toContain('müllerbräu')
  expect((await deploy('updateWeb', fqdn)).failed).toBeNull()
})

test('imports an export unchanged and backs up the replaced database', async () => {
  const odd = "it's; -- 'ä' 🦁\n\"x\" \\"
  const fqdn = 'www.export.test'
  expect((await deploy('importDatabase', fqdn)).failed).toBe('Find the export')
  await deploy('backupWeb', fqdn)
  executeSql(fqdn, `update tt_content set header = '${odd.replaceAll("'", "''")}' where uid = 10`)
  const before = readHeaders(fqdn)
  expect(before[0]).toBe(odd)
  expect((await deploy('exportDatabase', fqdn)).failed).toBeNull()
  executeSql(fqdn, 'delete from tt_content')
  expect((await deploy('importDatabase', fqdn)).failed).toBeNull()
  expect(readHeaders(fqdn)).toEqual(before)
  const backup = await readFile(nodePath('backups', fqdn, `${deployments}.sql`), 'utf8')
  expect(backup).not.toContain('INSERT INTO "tt_content"')
})

test('does not import the export of another web that had the name before', async () => {
  const fqdn = 'www.renamed.test'
  expect((await deploy('exportDatabase', fqdn, { web: 1 })).failed).toBeNull()
  expect((await deploy('importDatabase', fqdn, { web: 2 })).failed).toBe('Find the export')
  expect((await deploy('importDatabase', fqdn, { web: 1 })).failed).toBeNull()
})

test('changes nothing when a dump is truncated', async () => {
  const fqdn = 'www.cut.test'
  await deploy('exportDatabase', fqdn)
  const before = readHeaders(fqdn)
  const path = nodePath('exports', fqdn, '7.sql')
  await truncate(path, (await stat(path)).size - 40)
  const { failed, lines } = await deploy('importDatabase', fqdn)
  expect(failed).toBe('Import the export')
  expect(lines.at(-1)).toBe(`The dump exports/${fqdn}/7.sql is cut off: export it again.`)
  expect(readHeaders(fqdn)).toEqual(before)
})

test('names the action that creates a missing export', async () => {
  const { failed, lines } = await deploy('importDatabase', 'www.none.test')
  expect(failed).toBe('Find the export')
  expect(lines.at(-1)).toBe(
    'There is no dump exports/www.none.test/7.sql on this node: export the database first.',
  )
})

test('creates new webs from the kick dump of their repository', async () => {
  expect((await deploy('exportDatabaseKick', known)).failed).toBeNull()
  expect(await readFile(nodePath('kick', 'web134-known.test.sql'), 'utf8')).toContain('INSERT INTO "pages"')
  for (const { name } of seedNodes)
    for (const kickstarter of kickstarters)
      expect(await exists(join(nodes.nodesFolder, name, 'kick', `${kickstarter}.sql`))).toBe(true)
})

test('backs up files and database', async () => {
  expect((await deploy('backupWeb', known)).failed).toBeNull()
  const archive = nodePath('backups', known, `${deployments}.tar.gz`)
  const { stdout } = await run('tar', ['--list', '--gzip', `--file=${archive}`])
  expect(stdout).toContain('httpdocs/public/index.html')
  expect(stdout).toContain('database.sql')
  expect((await readdir(nodePath('backups', known))).filter((name) => name.endsWith('.part'))).toEqual([])
})

describe('a deployed web', () => {
  beforeAll(() => deploy('updateWeb', known))

  test.each([
    '/.git/config',
    '/../database.sqlite',
    '/%2e%2e/database.sqlite',
    '/%2e%2e%2fdatabase.sqlite',
    '/none',
  ])('does not serve %s', async (path) => {
    expect((await visit(known, path)).status).toBe(404)
  })
})

test.each(['', '..', 'localhost', '../nodes', 'a/b', '127.0.0.1'])('rejects %j as a web', async (host) => {
  expect((await visit(host)).status).toBe(404)
})
