import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openBitbucket } from '@kustos/clients/bitbucket'
import { checkBitbucket } from '@kustos/clients/testing/bitbucket'
import { isForkable, kickstarters } from '@kustos/contract/bitbucket'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { repositoryOf, type SandboxBitbucket, startBitbucket } from '../src/bitbucket/index.ts'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'kustos-bitbucket-'))
let bitbucket: SandboxBitbucket
let forks = 0

beforeAll(async () => {
  bitbucket = await startBitbucket(join(folder, 'bitbucket'))
})
afterAll(async () => {
  await bitbucket.stop()
  await rm(folder, { recursive: true, force: true })
})

function client() {
  const { url, workspace, token } = bitbucket
  const opened = openBitbucket({
    url,
    workspace,
    credentials: token,
    totalTimeoutMs: 2_500,
    timeoutMs: 1_000,
  })
  onTestFinished(() => opened.close())
  return opened
}

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${bitbucket.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${bitbucket.token}`, 'content-type': 'application/json' },
  })

const json = async (path: string, init?: RequestInit) => {
  const answer = await ask(path, init)
  // The tests check the shape, so it stays `any`.
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) }
}

async function injectFault(mode: string): Promise<void> {
  const health = (wanted: string) =>
    fetch(new URL(`/_sandbox/health/${wanted}`, bitbucket.url), { method: 'PUT' })
  expect((await health(mode)).status).toBe(200)
  onTestFinished(async () => void (await health('ok')))
}

describe("fulfils the client's contract", () => {
  checkBitbucket(
    () => ({
      url: bitbucket.url,
      workspace: bitbucket.workspace,
      credentials: bitbucket.token,
      forks: {
        source: 'web134-kickstarter-base',
        project: 'TP',
        name: () => `web134-probe-${++forks}.test`,
      },
    }),
    { forks: true },
  )

  test("fulfils it with a user's token too", async () => {
    const { url, workspace, token } = bitbucket
    const user = openBitbucket({ url, workspace, credentials: `user@kustos.test:${token}` })
    onTestFinished(() => user.close())
    expect(await user.find('web134-kickstarter-base')).not.toBeNull()
  })
})

describe('initially', () => {
  test('has kickstarters, a trial-day template, webs of three generations, and more than one page', async () => {
    const list = await client().list()
    const names = list.map(({ name }) => name)
    expect(list.length).toBeGreaterThan(100)
    expect(names).toEqual(expect.arrayContaining([...kickstarters, bitbucket.trialDayTemplate]))
    for (const prefix of ['web134-', 'web124-', 'web115-']) {
      expect(list.filter((one) => isForkable(one) && one.name.startsWith(prefix)).length).toBeGreaterThan(5)
    }
    const others = list.filter((one) => !isForkable(one))
    expect(others.length).toBeGreaterThan(50)
    // A name alone makes nothing forkable.
    expect(others.map(({ name }) => name)).toContain('web134-sandkasten')
  })

  test('has repositories for the webs of the inventory', async () => {
    const repository = repositoryOf('törggelen-eisacktal.test', 'TYPO3 12.4.41')
    expect(repository).toBe('web124-toerggelen-eisacktal.test')
    expect(await client().find(repository ?? '')).toMatchObject({
      description: 'Website törggelen-eisacktal.test',
      parent: `${bitbucket.workspace}/web124-kickstarter-base`,
    })
  })

  test.each([
    ['www.city.test', 'TYPO3 13.4.20', 'web134-city.test'],
    ['città-di-chiusa.test', 'TYPO3 12.4.40', 'web124-citta-di-chiusa.test'],
    ['fußball.test', 'TYPO3 11.5.48', 'web115-fussball.test'],
    ['shop.test', 'Shopware 6.7.4.0', null],
    ['old.test', 'TYPO3 8.7.57', null],
    ['plain.test', null, null],
    [`${'long-'.repeat(12)}name.test`, 'TYPO3 13.4.20', null],
  ])('%s with %s is deployed from %s', (fqdn, framework, repository) => {
    expect(repositoryOf(fqdn, framework)).toBe(repository)
  })
})

describe('its REST API behaves like Bitbucket', () => {
  test('pages with an opaque, absolute next that the last page lacks', async () => {
    const first = await json(`/repositories/${bitbucket.workspace}?pagelen=100&fields=next,size,values.slug`)
    expect(Object.keys(first.body).sort()).toEqual(['next', 'size', 'values'])
    expect(first.body.values).toHaveLength(100)
    expect(Object.keys(first.body.values[0])).toEqual(['slug'])
    expect(first.body.next).toMatch(new RegExp(`^${bitbucket.url}/`))
    const second = await json(first.body.next.slice(bitbucket.url.length))
    expect(second.body.values).toHaveLength(first.body.size - 100)
    expect(second.body).not.toHaveProperty('next')
  })

  test('leaves out next for clients that did not request it', async () => {
    const { body } = await json(`/repositories/${bitbucket.workspace}?fields=values.slug`)
    expect(body.values).toHaveLength(10)
    expect(body).not.toHaveProperty('next')
  })

  test('filters, sorts and omits fields', async () => {
    const q = encodeURIComponent('project.key = "TP" AND name ~ "KICKSTARTER"')
    const { body } = await json(`/repositories/${bitbucket.workspace}?q=${q}&sort=-slug&fields=-values.links`)
    expect(body.values.map((one: { slug: string }) => one.slug)).toEqual(
      [...kickstarters, 'schnuppertag-kickstarter'].toSorted().toReversed(),
    )
    expect(body.values[0]).not.toHaveProperty('links')
    expect(body.values[0]).toHaveProperty('created_on', expect.stringMatching(/\.\d{6}\+00:00$/))
  })

  test.each(['pagelen=101', 'pagelen=0', 'page=x', 'ctx=!', 'sort=secret', 'q=drop'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await json(`/repositories/${bitbucket.workspace}?${query}`)
      expect({ status, type: body.type }).toEqual({ status: 400, type: 'error' })
    },
  )

  test.each([undefined, 'Bearer wrong', 'Basic d3Jvbmc=', 'nonsense'])(
    'answers 401 to %s',
    async (authorization) => {
      const answer = await fetch(`${bitbucket.url}/repositories/${bitbucket.workspace}`, {
        headers: authorization === undefined ? {} : { authorization },
      })
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ type: 'error', error: { message: expect.any(String) } })
    },
  )

  test('creates a fork with 201 and Location, and lists it among the forks', async () => {
    const forksOf = `/repositories/${bitbucket.workspace}/web124-kickstarter-lp_v2/forks`
    const made = await json(forksOf, { method: 'POST', body: JSON.stringify({ name: 'web124-neu.test' }) })
    expect(made.status).toBe(201)
    const place = made.headers.get('location') ?? ''
    expect((await json(place.slice(bitbucket.url.length))).body).toEqual(made.body)
    expect((await json(forksOf)).body.values).toEqual([made.body])
  })

  test.each([
    ['of a repository that allows none', 'ansible-plesk', { name: 'copy' }, 403],
    [
      'in public where that is not allowed',
      'web134-kickstarter-base',
      { name: 'copy', is_private: false },
      400,
    ],
    ['under the name of its source', 'ext-karte', {}, 400],
    ['into another workspace', 'ext-karte', { name: 'copy', workspace: { slug: 'other' } }, 403],
  ])('refuses a fork %s', async (_, source, body, status) => {
    const answer = await json(`/repositories/${bitbucket.workspace}/${source}/forks`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    expect({ status: answer.status, type: answer.body.type }).toEqual({ status, type: 'error' })
  })
})

describe('its repositories are real', () => {
  test('clones a fork with git, including the website and its history', async () => {
    const { clone_url: url } = await client().fork('web134-kickstarter-erfolg', {
      name: 'web134-geklont.test',
      project: 'TP',
      description: '',
    })
    const clone = join(folder, 'clone')
    await run('git', ['clone', '--quiet', url, clone])
    const { stdout } = await run('git', ['-C', clone, 'log', '--format=%s'])
    expect(stdout.trim().split('\n')).toEqual(['Impressum und Datenschutz', 'Startseite', 'Grundgerüst'])
    expect(await readFile(join(clone, 'public/index.html'), 'utf8')).toContain('<h1>Jetzt anfragen</h1>')
    expect((await readdir(clone)).sort()).toEqual([
      '.git',
      '.gitignore',
      'README.md',
      'composer.json',
      'public',
    ])
    await run('git', ['-C', clone, 'pull', '--quiet', '--ff-only'])
    await run('git', ['-C', clone, 'fsck', '--strict'])
  })

  test('refuses pushes and paths outside the workspace', async () => {
    const origin = new URL(bitbucket.url).origin
    const status = async (path: string) => (await fetch(origin + path)).status
    const { workspace } = bitbucket
    expect(await status(`/${workspace}/web134-kickstarter-base.git/info/refs?service=git-receive-pack`)).toBe(
      404,
    )
    expect(await status(`/${workspace}/..%2f..%2ftoken/info/refs?service=git-upload-pack`)).toBe(404)
    expect(await status(`/${workspace}/.temporary.git/info/refs?service=git-upload-pack`)).toBe(404)
    expect(await status(`/${workspace}/web134-kickstarter-base`)).toBe(200)
  })
})

describe('fault injection', () => {
  test.each([
    ['down', 0, /cannot be reached: the connection was lost/],
    ['slow', 0, /did not respond within/],
    ['rate-limited', 429, /rate-limited.*60 s/],
    ['errors', 503, /server error \(503/],
  ])('the mode %s makes the client fail', async (mode, status, sentence) => {
    await injectFault(mode)
    await expect(client().list()).rejects.toMatchObject({ status, message: expect.stringMatching(sentence) })
  })

  test('rejects an unknown mode, and a form of another origin', async () => {
    const health = (method: string, fault: string) =>
      fetch(new URL(`/_sandbox/health/${fault}`, bitbucket.url), { method })
    expect((await health('PUT', 'odd')).status).toBe(400)
    expect((await health('POST', 'down')).status).toBe(405)
    expect(await client().find('web134-kickstarter-base')).not.toBeNull()
  })
})

describe('another start', () => {
  test('keeps everything at the same address with the same token', async () => {
    const before = await client().list()
    const { url, token } = bitbucket
    await bitbucket.stop()
    bitbucket = await startBitbucket(join(folder, 'bitbucket'))
    expect({ url: bitbucket.url, token: bitbucket.token }).toEqual({ url, token })
    expect(await client().list()).toEqual(before)
  })

  test('uses another address if its own is taken, and the clone URLs follow', async () => {
    const port = Number(new URL(bitbucket.url).port)
    await bitbucket.stop()
    const other = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => void other.close())
    bitbucket = await startBitbucket(join(folder, 'bitbucket'))
    expect(new URL(bitbucket.url).port).not.toBe(String(port))
    const found = await client().find('web134-kickstarter-base')
    expect(found?.clone_url).toMatch(new RegExp(`^${new URL(bitbucket.url).origin}/`))
  })

  test.each([
    ['git', null],
    ['git-http-backend', '#!/bin/sh\necho /nowhere\n'],
  ])('reports that %s is missing', async (what, program) => {
    const programs = await mkdtemp(join(folder, 'programs-'))
    if (program !== null) await writeFile(join(programs, 'git'), program, { mode: 0o700 })
    const path = process.env.PATH
    process.env.PATH = programs
    onTestFinished(() => {
      process.env.PATH = path
    })
    await expect(startBitbucket(join(folder, 'none'))).rejects.toThrow(
      `The sandbox keeps its repositories with git, and ${what} is missing on this machine: install it (`,
    )
    expect(await readdir(folder)).not.toContain('none')
  })
})
