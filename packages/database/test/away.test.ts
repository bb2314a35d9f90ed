import { DrizzleQueryError, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { isDatabaseDown, isTransient, openDatabase } from '../src/client.ts'

const failed = (facts: object, message = 'failed') => Object.assign(new Error(message), facts)
const outOfReach = failed({ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'postgres' })

test.each([
  ['a name that does not resolve', outOfReach],
  ['a name that does not resolve now', failed({ code: 'EAI_AGAIN', syscall: 'getaddrinfo' })],
  ['a host that no way leads to', failed({ code: 'EHOSTUNREACH', syscall: 'connect' })],
  ['a network that no way leads to', failed({ code: 'ENETUNREACH', syscall: 'connect' })],
  ['a network that goes down amid a query', failed({ code: 'ENETDOWN', syscall: 'read' })],
  ['a refused connection', failed({ code: 'ECONNREFUSED', syscall: 'connect' })],
  ['a broken connection', failed({ code: 'ECONNRESET' })],
  ['a server that stops', failed({ code: '57P01' })],
  ['a server without room', failed({ code: '53300' })],
  ['what the driver says of it', new Error('Connection terminated unexpectedly')],
  ['the cause of a query that failed', new DrizzleQueryError('select 1', [], outOfReach)],
  [
    'the addresses of a name, none of which answers',
    new AggregateError([failed({ code: 'ENETUNREACH', syscall: 'connect', address: '::1' })]),
  ],
])('recognises an unavailable database: %s', (_, error) => {
  expect([isDatabaseDown(error), isTransient(error)]).toEqual([true, true])
})

test.each([
  ['a DNS answer', failed({ code: 'ENOTFOUND', syscall: 'queryA', hostname: 'hotel.test' })],
  ['a client that names the code alone', failed({ code: 'EHOSTUNREACH' }, 'n1 cannot be reached')],
  ['a client whose system is not found', new Error('Plesk on n1 cannot be reached.', { cause: outOfReach })],
  [
    'a client whose system refuses',
    new Error('Bitbucket cannot be reached.', {
      cause: failed({ code: 'ECONNREFUSED', syscall: 'connect' }),
    }),
  ],
  ['a wrong statement', new DrizzleQueryError('selec 1', [], failed({ code: '42601' }))],
  ['no error at all', 'ENOTFOUND'],
])('does not mistake for an unavailable database: %s', (_, error) => {
  expect([isDatabaseDown(error), isTransient(error)]).toEqual([false, false])
})

test('recognises an unknown host, inside and outside transactions', async () => {
  const { db, close } = openDatabase('postgres://kustos@no-such-host.invalid/kustos')
  try {
    const failures = await Promise.allSettled([
      db.execute(sql`select 1`),
      db.transaction((tx) => tx.execute(sql`select 1`)),
    ])
    for (const failure of failures) {
      expect(failure.status === 'rejected' && isDatabaseDown(failure.reason)).toBe(true)
    }
  } finally {
    await close()
  }
})
