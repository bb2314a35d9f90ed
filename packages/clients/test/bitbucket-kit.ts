import { expect, onTestFinished, test } from 'vitest'
import { BitbucketError, SlugTakenError } from '../src/bitbucket/bitbucket.ts'
import { type BitbucketOptions, openBitbucket } from '../src/bitbucket/index.ts'

export interface KitTarget extends Pick<BitbucketOptions, 'url' | 'workspace' | 'credentials'> {
  /** Where forks may be created. Without it, nothing is written. */
  readonly forks?: {
    /** The slug of the repository to fork. */
    readonly source: string
    /** The key of the project that forks are created in. */
    readonly project: string
    /** Returns a new unused slug. */
    readonly name: () => string
  }
}

/**
 * Defines the contract tests of the client, against a simulated or the real Bitbucket. Call it inside `describe`.
 * @param target is called when the tests run
 */
export function checkBitbucket(target: () => KitTarget, { forks }: { forks: boolean }): void {
  const open = (overrides: Partial<BitbucketOptions> = {}) => {
    const { url, workspace, credentials } = target()
    const client = openBitbucket({ url, workspace, credentials, ...overrides })
    onTestFinished(() => client.close())
    return client
  }
  const catchError = async (call: Promise<unknown>): Promise<BitbucketError> => {
    const error = await call.then(
      () => null,
      (reason: unknown) => reason,
    )
    if (!(error instanceof BitbucketError)) throw new Error(`It did not fail as it should: ${error}`)
    expect(JSON.stringify([error.message, error.codedMessage])).not.toContain(target().credentials)
    return error
  }
  const unknownSlug = () => `no-such-repository-${Math.random().toString(36).slice(2)}`

  test('lists every repository once with its details', async () => {
    const list = await open().list()
    expect(list.length).toBeGreaterThan(0)
    expect(new Set(list.map(({ name }) => name)).size).toBe(list.length)
    for (const repository of list) {
      expect(repository.name).toMatch(/^[a-z0-9._-]+$/)
      expect(repository.project.key).toMatch(/^[A-Z][A-Z0-9_]*$/)
      expect(repository.html_url).toMatch(/^https?:\/\/[^@]+$/)
      expect(repository.clone_url).toMatch(/^https?:\/\/[^@]+\.git$/)
      expect(repository.created_on.getTime()).toBeLessThanOrEqual(Date.now() + 60_000)
      expect(repository.updated_on.getTime()).not.toBeNaN()
    }
  })

  test('finds a repository with the same details as in the list', async () => {
    const client = open()
    const [first] = await client.list()
    expect(await client.find(first?.name ?? '')).toEqual(first)
  })

  test.each([unknownSlug(), '', '..', 'a/b', 'with space', '%2e%2e'])(
    'finds no repository named %j',
    async (slug) => {
      expect(await open().find(slug)).toBeNull()
    },
  )

  test('rejects an invalid token', async () => {
    const { status, codedMessage } = await catchError(open({ credentials: 'not-a-token' }).list())
    expect(status).toBe(401)
    expect(codedMessage.code).toBe('bitbucket_token_refused')
  })

  test('names an unknown workspace in the error', async () => {
    const { status, codedMessage } = await catchError(open({ workspace: 'no-such-workspace-kustos' }).list())
    expect(status).toBe(404)
    expect(codedMessage).toMatchObject({ params: { workspace: 'no-such-workspace-kustos' } })
  })

  test('stops when aborted', async () => {
    const reason = new Error('enough')
    await expect(open().list(AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  if (!forks) return
  const getForks = () => {
    const { forks } = target()
    if (forks === undefined) throw new Error('The target does not say where forks may be created')
    return forks
  }

  test('forks into a project, then finds and lists the fork', async () => {
    const { source, project, name } = getForks()
    const client = open()
    const slug = name()
    const fork = await client.fork(source, { name: slug, project, description: 'Kustos: a fork & more' })
    expect(fork).toMatchObject({
      name: slug,
      project: { key: project },
      description: 'Kustos: a fork & more',
      parent: `${target().workspace}/${source}`,
    })
    expect(await client.find(slug)).toEqual(fork)
    expect(await client.list()).toContainEqual(fork)
  })

  test('creates one of several concurrent forks with the same name and rejects the others', async () => {
    const { source, project, name } = getForks()
    const client = open()
    const slug = name()
    const fork = () => client.fork(source, { name: slug, project, description: '' })
    const outcomes = await Promise.allSettled([fork(), fork(), fork()])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(SlugTakenError)
    }
    expect(await catchError(fork())).toBeInstanceOf(SlugTakenError)
  })

  test.each([
    ['an unknown source', { source: unknownSlug() }, 404],
    ['an unknown project', { project: 'NOSUCHPROJECT' }, 400],
    ['an invalid slug', { name: () => 'Über uns' }, 400],
  ] as const)('rejects a fork with %s', async (_, overrides, status) => {
    const { source, project, name } = { ...getForks(), ...overrides }
    const error = await catchError(open().fork(source, { name: name(), project, description: '' }))
    expect(error.status).toBe(status)
    expect(error).not.toBeInstanceOf(SlugTakenError)
  })
}
