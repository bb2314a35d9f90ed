import { expect, onTestFinished, test } from 'vitest'
import { BitbucketError, SlugTaken } from '../src/bitbucket/bitbucket.ts'
import { type BitbucketOptions, openBitbucket } from '../src/bitbucket/index.ts'

export interface KitTarget extends Pick<BitbucketOptions, 'url' | 'workspace' | 'credentials'> {
  /** Where forks may be made; nothing is written where it is left out. */
  readonly forks?: {
    /** The slug to fork from. */
    readonly source: string
    /** The key of the project that they go into. */
    readonly project: string
    /** A slug that nobody has, another one at each call. */
    readonly name: () => string
  }
}

/**
 * Checks everything that the client promises against a Bitbucket, be it the sandbox's or the real one. To be called
 * inside `describe`.
 * @param target asked for once the tests run
 */
export function checkBitbucket(target: () => KitTarget, { forks }: { forks: boolean }): void {
  const open = (changed: Partial<BitbucketOptions> = {}) => {
    const { url, workspace, credentials } = target()
    const client = openBitbucket({ url, workspace, credentials, ...changed })
    onTestFinished(() => client.close())
    return client
  }
  const failureOf = async (answer: Promise<unknown>): Promise<BitbucketError> => {
    const error = await answer.then(
      () => null,
      (reason: unknown) => reason,
    )
    if (!(error instanceof BitbucketError)) throw new Error(`It did not fail as it should: ${error}`)
    expect(error.message).toMatch(/Bitbucket/)
    expect(error.message).not.toContain(target().credentials)
    return error
  }
  const unknown = () => `no-such-repository-${Math.random().toString(36).slice(2)}`

  test('lists every repository once, with all that Kustos shows of it', async () => {
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

  test('finds one as the list has it', async () => {
    const client = open()
    const [first] = await client.list()
    expect(await client.find(first?.name ?? '')).toEqual(first)
  })

  test.each([unknown(), '', '..', 'a/b', 'with space', '%2e%2e'])(
    'finds none that is called %j',
    async (slug) => {
      expect(await open().find(slug)).toBeNull()
    },
  )

  test('says that a token is not accepted', async () => {
    const { status, message } = await failureOf(open({ credentials: 'not-a-token' }).list())
    expect(status).toBe(401)
    expect(message).toMatch(/token.*expired or was revoked/)
  })

  test('names a workspace that is not there', async () => {
    const { status, message } = await failureOf(open({ workspace: 'no-such-workspace-kustos' }).list())
    expect(status).toBe(404)
    expect(message).toContain('no-such-workspace-kustos')
  })

  test('stops when it is told to', async () => {
    const reason = new Error('enough')
    await expect(open().list(AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  if (!forks) return
  const allowed = () => {
    const where = target().forks
    if (where === undefined) throw new Error('Nobody said where forks may be made')
    return where
  }

  test('forks into a project, and finds and lists the fork from then on', async () => {
    const { source, project, name } = allowed()
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

  test('of several forks of one name at once, one is made and the others hear that it is taken', async () => {
    const { source, project, name } = allowed()
    const client = open()
    const slug = name()
    const fork = () => client.fork(source, { name: slug, project, description: '' })
    const outcomes = await Promise.allSettled([fork(), fork(), fork()])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(SlugTaken)
    }
    expect(await failureOf(fork())).toBeInstanceOf(SlugTaken)
  })

  test.each([
    ['a source that is not there', { source: unknown() }, 404],
    ['a project that is not there', { project: 'NOSUCHPROJECT' }, 400],
    ['a name that no slug has', { name: () => 'Über uns' }, 400],
  ] as const)('refuses a fork of %s', async (_, wrong, status) => {
    const { source, project, name } = { ...allowed(), ...wrong }
    const error = await failureOf(open().fork(source, { name: name(), project, description: '' }))
    expect(error.status).toBe(status)
    expect(error).not.toBeInstanceOf(SlugTaken)
  })
}
