import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { logEntries } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { expect, it } from 'vitest'
import { listen, Visitor } from './visitor.ts'

const database = await testDatabase()
const origin = await listen(database)

async function kustos(words: string[], input = ''): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../src/kustos.ts', import.meta.url)), ...words],
    {
      env: { ...process.env, DATABASE_URL: database.url },
    },
  )
  child.stdin.end(input)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, out, err }
}

const create = ['user:create', 'first@kustos.test', '--name', 'First', '--role', 'admin']

it('adds a user who can sign in, and says so in the log', async () => {
  const { code, out, err } = await kustos(create, 'a long pass phrase\n')
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/first@kustos\.test\) was added/)
  const visitor = new Visitor(origin)
  expect((await visitor.signIn('first@kustos.test', 'a long pass phrase')).status).toBe(204)
  const [entry] = await database.db.select().from(logEntries)
  expect(entry).toMatchObject({ log_name: 'users', description: 'created', causer_id: null })
  expect(JSON.stringify(entry)).not.toContain('pass phrase')
})

it.each([
  ['a taken e-mail', create, 'a long pass phrase', /taken already/],
  ['a short password', create, 'short', /at least 12/],
  ['no password', create, '', /at least 12/],
  [
    'an unknown role',
    ['user:create', 'b@kustos.test', '--role', 'king'],
    'a long pass phrase',
    /no role 'king'/,
  ],
  ['no e-mail', ['user:create', '--role', 'admin'], 'a long pass phrase', /email/],
  ['an unknown command', ['user:destroy'], '', /no command 'user:destroy'/],
  ['an unknown option', ['migrate', '--force'], '', /--force/],
])('refuses %s with a sentence', async (_, words, input, sentence) => {
  const { code, err } = await kustos(words, input)
  expect(code).toBe(1)
  expect(err).toMatch(sentence)
  expect(err).not.toMatch(/\bat .*:\d+:\d+/)
})

it('migrates, also twice', async () => {
  expect(await kustos(['migrate'])).toEqual({
    code: 0,
    out: 'The database is at the newest schema.\n',
    err: '',
  })
})
