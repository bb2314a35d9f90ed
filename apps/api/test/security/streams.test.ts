import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '@kustos/database/testing'
import { afterAll, expect, it } from 'vitest'
import { createUser, listen, signIn } from '../api-client.ts'

// The contents and ends of streams are tested in ../events.test.ts.

const database = await testDatabase()
const origin = await listen(database)
await createUser(database, 'many@kustos.test', [])
await createUser(database, 'other@kustos.test', [])
await createUser(database, 'gone@kustos.test', [])
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

it('counts no stream of a client that disconnected before it was opened', async () => {
  const client = await signIn(origin, 'gone@kustos.test')
  const { owner, pool } = database
  const lock = await owner.pool.connect()
  await lock.query('begin; lock table users in access exclusive mode')
  const leaving = new AbortController()
  const left = Array.from({ length: 100 }, () =>
    client.fetch('/api/events', { signal: leaving.signal }).catch(() => null),
  )
  await expect.poll(() => pool.waitingCount).toBeGreaterThan(0)
  await sleep(300)
  leaving.abort()
  await Promise.all(left)
  await sleep(300)
  await lock.query('rollback')
  lock.release()
  await expect.poll(() => pool.idleCount === pool.totalCount && pool.waitingCount === 0).toBe(true)
  expect((await client.fetch('/api/events', { signal: end.signal })).status).toBe(200)
  const metrics = await (await client.fetch('/metrics')).text()
  // Those of the test before, and this one.
  expect(/^kustos_event_streams (\d+)$/m.exec(metrics)?.[1]).toBe('102')
})
