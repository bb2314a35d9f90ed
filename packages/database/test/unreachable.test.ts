import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { DrizzleQueryError, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { isDatabaseDown, isOutOfConnections, isTransient, openDatabase } from '../src/client.ts'

const createError = (properties: object, message = 'failed') => Object.assign(new Error(message), properties)
const dnsFailure = createError({ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'postgres' })

test.each([
  ['a name that does not resolve', dnsFailure],
  ['a name that temporarily does not resolve', createError({ code: 'EAI_AGAIN', syscall: 'getaddrinfo' })],
  ['an unreachable host', createError({ code: 'EHOSTUNREACH', syscall: 'connect' })],
  ['an unreachable network', createError({ code: 'ENETUNREACH', syscall: 'connect' })],
  ['a network that goes down during a query', createError({ code: 'ENETDOWN', syscall: 'read' })],
  ['a refused connection', createError({ code: 'ECONNREFUSED', syscall: 'connect' })],
  ['a broken connection', createError({ code: 'ECONNRESET' })],
  ['a server that stops', createError({ code: '57P01' })],
  [
    'a pooler that cannot reach it',
    createError({ code: '08P01' }, 'server login has been failing, cached error: connect failed'),
  ],
  ['the message of the driver', new Error('Connection terminated unexpectedly')],
  ['the cause of a query that failed', new DrizzleQueryError('select 1', [], dnsFailure)],
  [
    'a name whose addresses are all unreachable',
    new AggregateError([createError({ code: 'ENETUNREACH', syscall: 'connect', address: '::1' })]),
  ],
])('recognises an unavailable database: %s', (_, error) => {
  expect([isDatabaseDown(error), isTransient(error)]).toEqual([true, true])
})

test.each([
  ['a DNS response', createError({ code: 'ENOTFOUND', syscall: 'queryA', hostname: 'hotel.test' })],
  [
    'a client error that only contains the code',
    createError({ code: 'EHOSTUNREACH' }, 'n1 cannot be reached'),
  ],
  [
    'a client error whose host is not found',
    new Error('Plesk on n1 cannot be reached.', { cause: dnsFailure }),
  ],
  [
    'a client error whose host refuses connections',
    new Error('Bitbucket cannot be reached.', {
      cause: createError({ code: 'ECONNREFUSED', syscall: 'connect' }),
    }),
  ],
  ['an invalid statement', new DrizzleQueryError('selec 1', [], createError({ code: '42601' }))],
  ['a value that is not an error', 'ENOTFOUND'],
])('does not mistake for an unavailable database: %s', (_, error) => {
  expect([isDatabaseDown(error), isTransient(error)]).toEqual([false, false])
})

test.each([
  ['Postgres', '53300', 'too many connections for role "kustos"'],
  ['PgBouncer that waits', '08P01', 'query_wait_timeout'],
  ['PgBouncer that is full', '08P01', 'no more connections allowed (max_client_conn)'],
  [
    'PgBouncer before a full Postgres',
    '08P01',
    'server login has been failing, cached error: sorry, too many clients already (server_login_retry)',
  ],
])('tells a server without free connections from an unavailable one: %s', (_, code, message) => {
  const error = createError({ code }, message)
  expect([isDatabaseDown(error), isOutOfConnections(error), isTransient(error)]).toEqual([false, true, true])
})

test('recognises a server that never answers, also while all connections of the pool wait for it', async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { db, close } = openDatabase(`postgres://kustos@127.0.0.1:${port}/kustos`, { max: 2 })
  try {
    const failures = await Promise.allSettled(Array.from({ length: 4 }, () => db.execute(sql`select 1`)))
    for (const failure of failures) {
      const reason = failure.status === 'rejected' && failure.reason
      expect([isDatabaseDown(reason), isOutOfConnections(reason)]).toEqual([true, false])
    }
  } finally {
    await close()
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}, 15_000)

test('recognises an unknown database host inside and outside transactions', async () => {
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
