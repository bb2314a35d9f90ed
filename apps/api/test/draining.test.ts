import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { testDatabase } from '@kustos/database/testing'
import { openEvents } from '@kustos/domain/platform/events'
import { expect, it } from 'vitest'
import { buildApp } from '../src/app.ts'
import { createTestServices } from './api-client.ts'

const database = await testDatabase()

it('serves requests on open connections while it shuts down', async () => {
  const { deployments, bitbucket } = await createTestServices(database)
  const events = openEvents(database.url, () => undefined)
  const sessionSecret = 's'.repeat(32)
  const app = await buildApp({ database, sessionSecret, deployments, bitbucket, events })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const requested = once(app.server, 'request')
  socket.write(
    'POST /api/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n',
  )
  await requested
  const closed = app.close()
  socket.write('{}')
  await expect.poll(() => received).toMatch(/^HTTP\/1\.1 4\d\d /)
  received = ''
  socket.write('GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n')
  await expect.poll(() => received).toMatch(/^HTTP\/1\.1 200 /)
  expect(received).toMatch(/\r\nconnection: close\r\n/i)
  await closed
  await events.close()
})
