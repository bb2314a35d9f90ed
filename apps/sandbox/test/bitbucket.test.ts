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
import { type SandboxBitbucket, sandboxRepositoryName, startBitbucket } from '../src/bitbucket/index.ts'

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

function openClient() {
  const { url, workspace, token } = bitbucket
  const client = openBitbucket({
    url,
    workspace,
    credentials: token,
    totalTimeoutMs: 2_500,
    timeoutMs: 1_000,
  })
  onTestFinished(() => client.close())
  return client
}

const send = (path: string, init: RequestInit = {}) =>
  fetch(`${bitbucket.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${bitbucket.token}`, 'content-type': 'application/json' },
  })

const sendJson = async (path: string, init?: RequestInit) => {
  const response = await send(path, init)
  // The tests check the shape, so it stays `any`.
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

async function injectFault(mode: string): Promise<void> {
  const setHealth = (value: string) =>
    fetch(new URL(`/_sandbox/health/${value}`, bitbucket.url), { method: 'PUT' })
  expect((await setHealth(mode)).status).toBe(200)
  onTestFinished(async () => void (await setHealth('ok')))
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

  test("also with a user's token", async () => {
    const { url, workspace, token } = bitbucket
    const user = openBitbucket({ url, workspace, credentials: `user@kustos.test:${token}` })
    onTestFinished(() => user.close())
    expect(await user.find('web134-kickstarter-base')).not.toBeNull()
  })
})

describe('initially', () => {
  test('it has kickstarters, a trial-day template and webs of three generations on several pages', async () => {
    const list = await openClient().list()
    const names = list.map(({ name }) => name)
    expect(list.length).toBeGreaterThan(100)
    expect(names).toEqual(expect.arrayContaining([...kickstarters, bitbucket.trialDayTemplate]))
    for (const prefix of ['web134-', 'web124-', 'web115-']) {
      expect(
        list.filter((repository) => isForkable(repository) && repository.name.startsWith(prefix)).length,
      ).toBeGreaterThan(5)
    }
    const others = list.filter((repository) => !isForkable(repository))
    expect(others.length).toBeGreaterThan(50)
    // The prefix of a name does not make a repository forkable.
    expect(others.map(({ name }) => name)).toContain('web134-sandkasten')
  })

  test('it has repositories for the webs of the inventory', async () => {
    const repository = sandboxRepositoryName('törggelen-eisacktal.test', 'TYPO3 12.4.41')
    expect(repository).toBe('web124-toerggelen-eisacktal.test')
    expect(await openClient().find(repository ?? '')).toMatchObject({
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
    expect(sandboxRepositoryName(fqdn, framework)).toBe(repository)
  })
})

describe('its REST API behaves like Bitbucket', () => {
  test('returns pages with an opaque, absolute next, which the last page lacks', async () => {
    const first = await sendJson(
      `/repositories/${bitbucket.workspace}?pagelen=100&fields=next,size,values.slug`,
    )
    expect(Object.keys(first.body).sort()).toEqual(['next', 'size', 'values'])
    expect(first.body.values).toHaveLength(100)
    expect(Object.keys(first.body.values[0])).toEqual(['slug'])
    expect(first.body.next).toMatch(new RegExp(`^${bitbucket.url}/`))
    const second = await sendJson(first.body.next.slice(bitbucket.url.length))
    expect(second.body.values).toHaveLength(first.body.size - 100)
    expect(second.body).not.toHaveProperty('next')
  })

  test('omits next if the requested fields do not include it', async () => {
    const { body } = await sendJson(`/repositories/${bitbucket.workspace}?fields=values.slug`)
    expect(body.values).toHaveLength(10)
    expect(body).not.toHaveProperty('next')
  })

  test('writes times with microseconds and an offset', async () => {
    const { body } = await sendJson(`/repositories/${bitbucket.workspace}?fields=values.created_on`)
    expect(body.values[0]).toHaveProperty('created_on', expect.stringMatching(/\.\d{6}\+00:00$/))
  })

  test.each(['pagelen=101', 'pagelen=0', 'ctx=eA'])('rejects %s', async (query) => {
    const { status, body } = await sendJson(`/repositories/${bitbucket.workspace}?${query}`)
    expect({ status, type: body.type }).toEqual({ status: 400, type: 'error' })
  })

  test.each([undefined, 'Bearer wrong', 'Basic d3Jvbmc=', 'nonsense'])(
    'responds to the authorization %s with 401',
    async (authorization) => {
      const response = await fetch(`${bitbucket.url}/repositories/${bitbucket.workspace}`, {
        headers: authorization === undefined ? {} : { authorization },
      })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ type: 'error', error: { message: expect.any(String) } })
    },
  )

  test('creates a fork with 201 and Location', async () => {
    const forksPath = `/repositories/${bitbucket.workspace}/web124-kickstarter-lp_v2/forks`
    const created = await sendJson(forksPath, {
      method: 'POST',
      body: JSON.stringify({ name: 'web124-neu.test' }),
    })
    expect(created.status).toBe(201)
    const location = created.headers.get('location') ?? ''
    expect((await sendJson(location.slice(bitbucket.url.length))).body).toEqual(created.body)
  })

  test.each([
    ['of a repository that does not allow forks', 'ansible-plesk', { name: 'copy' }, 403],
    [
      'that is public although its source does not allow it',
      'web134-kickstarter-base',
      { name: 'copy', is_private: false },
      400,
    ],
    ['under the name of its source', 'ext-karte', {}, 400],
    ['into another workspace', 'ext-karte', { name: 'copy', workspace: { slug: 'other' } }, 403],
  ])('rejects a fork %s', async (_, source, body, status) => {
    const response = await sendJson(`/repositories/${bitbucket.workspace}/${source}/forks`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    expect({ status: response.status, type: response.body.type }).toEqual({ status, type: 'error' })
  })
})

describe('its repositories', () => {
  test('can be cloned with git, including the website and its history', async () => {
    const { clone_url: url } = await openClient().fork('web134-kickstarter-erfolg', {
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

  test('reject pushes and paths outside the workspace', async () => {
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
    ['down', 0, { code: 'service_unreachable', params: { reason: { code: 'connection_broke' } } }],
    ['slow', 0, { code: 'service_timed_out' }],
    ['rate-limited', 429, { params: { when: { code: 'retry_in_seconds', params: { seconds: 60 } } } }],
    ['errors', 503, { code: 'bitbucket_out_of_order' }],
  ])('the mode %s makes the client fail', async (mode, status, reason) => {
    await injectFault(mode)
    await expect(openClient().list()).rejects.toMatchObject({ status, codedMessage: reason })
  })

  test('rejects an unknown mode and a form of another origin', async () => {
    const setHealth = (method: string, fault: string) =>
      fetch(new URL(`/_sandbox/health/${fault}`, bitbucket.url), { method })
    expect((await setHealth('PUT', 'odd')).status).toBe(400)
    expect((await setHealth('POST', 'down')).status).toBe(405)
    expect(await openClient().find('web134-kickstarter-base')).not.toBeNull()
  })
})

describe('a restart', () => {
  test('keeps everything at the same address with the same token', async () => {
    const before = await openClient().list()
    const { url, token } = bitbucket
    await bitbucket.stop()
    bitbucket = await startBitbucket(join(folder, 'bitbucket'))
    expect({ url: bitbucket.url, token: bitbucket.token }).toEqual({ url, token })
    expect(await openClient().list()).toEqual(before)
  })

  test('uses another address, also for the clone URLs, if its own is taken', async () => {
    const port = Number(new URL(bitbucket.url).port)
    await bitbucket.stop()
    const other = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => void other.close())
    bitbucket = await startBitbucket(join(folder, 'bitbucket'))
    expect(new URL(bitbucket.url).port).not.toBe(String(port))
    const found = await openClient().find('web134-kickstarter-base')
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
