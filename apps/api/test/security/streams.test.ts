import { testDatabase } from '@kustos/database/testing'
import { afterAll, expect, it } from 'vitest'
import { createUser, listen, signIn } from '../api-client.ts'

// The contents and ends of streams are tested in ../events.test.ts.

const database = await testDatabase()
const origin = await listen(database)
await createUser(database, 'many@kustos.test', [])
await createUser(database, 'other@kustos.test', [])
const end = new AbortController()
afterAll(() => end.abort())

it('limits a user to a hundred streams over all sessions, without affecting others', async () => {
  const [here, there, other] = [
    await signIn(origin, 'many@kustos.test'),
    await signIn(origin, 'many@kustos.test'),
    await signIn(origin, 'other@kustos.test'),
  ]
  const first = new AbortController()
  // The body of a response that nothing refers to is cancelled when it is collected, which would end the stream.
  const opened: Response[] = []
  const open = async (client: typeof here, signal = end.signal) => {
    const response = await client.fetch('/api/events', { signal })
    opened.push(response)
    return response.status
  }
  const streams = await Promise.all([
    open(here, first.signal),
    ...Array.from({ length: 99 }, (_, n) => open(n % 2 === 0 ? here : there)),
  ])
  expect(new Set(streams)).toEqual(new Set([200]))
  const rejected = await there.fetch('/api/events')
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '30'])
  expect(await open(other)).toBe(200)
  expect((await here.fetch('/api/users/current')).status).toBe(200)
  first.abort()
  await expect.poll(() => open(there)).toBe(200)
})
