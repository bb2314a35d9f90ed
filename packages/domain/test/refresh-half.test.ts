import { createServer as createPlainServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { testDatabase } from '@kustos/database/testing'
import { expect, onTestFinished, test } from 'vitest'
import { command, hello, openRefreshing, seenAt, start } from './refreshing.ts'

const { answerOf, at, facts, known, names, panel, refresh, seenBefore } = await openRefreshing(
  await testDatabase(),
)

test('keeps what Plesk told before while it is down', async () => {
  const before = await seenBefore()
  panel.answers.set(
    'GET /api/v2/domains?name=hotel.test',
    (response: ServerResponse) => void response.destroy(),
  )
  const problem = 'Plesk on tyrol cannot be reached: the connection was lost.'
  expect(await refresh()).toEqual({ state: 'partial', problems: [problem] })
  expect(await known()).toEqual(before)
  const { plesk, dns } = await facts()
  expect(plesk).toEqual({ seen_at: new Date(start), tried_at: new Date(at.clock), error: problem })
  expect(dns).toEqual(seenAt(at.clock))
})

test('stores half an answer of Plesk', async () => {
  const before = await seenBefore()
  panel.answers.set(command, { code: 1, stdout: '', stderr: 'No.' })
  panel.answers.set('GET /api/v2/domains/7/status', { status: 'disabled' })
  const { state, problems } = await refresh()
  expect([state, problems.length]).toEqual(['partial', 1])
  expect(await known()).toEqual({ ...before, status: 16 })
  expect((await facts()).plesk).toEqual({ ...seenAt(at.clock), error: problems[0] })
})

test('removes nothing if the node does not know the web', async () => {
  const before = await seenBefore()
  panel.answers.set('GET /api/v2/domains?name=hotel.test', [])
  const problem = 'Plesk on tyrol has no subscription with this name.'
  expect(await refresh()).toEqual({ state: 'partial', problems: [problem] })
  expect(await known()).toEqual(before)
})

test('keeps both statuses while name servers do not answer', async () => {
  const before = await seenBefore()
  names.state.zone = { 'hotel.test': 'silence' }
  const { state, problems } = await refresh()
  expect(state).toBe('partial')
  expect(problems).toEqual([
    'No name server answered in time.',
    expect.stringMatching(/^The web did not respond: .*\.$/),
  ])
  expect(await known()).toEqual(before)
  const { dns, http } = await facts()
  expect(dns).toMatchObject({ seen_at: new Date(start), error: problems[0] })
  expect(http).toMatchObject({ seen_at: new Date(start), error: problems[1] })
})

test('clears the status and keeps the certificate if the web does not answer', async () => {
  const before = await seenBefore()
  answerOf.site = () => undefined
  const { state, problems } = await refresh()
  // That it does not answer is what there is to know.
  expect([state, problems]).toEqual(['succeeded', []])
  expect(await known()).toEqual({ ...before, http_status_code: null })
  const error = 'The web did not respond: no answer within 1 s.'
  const { http, certificate, framework } = await facts()
  expect(http).toEqual({ ...seenAt(at.clock), error })
  const stays = { seen_at: new Date(start), tried_at: new Date(at.clock), error }
  expect([certificate, framework]).toEqual([stays, stays])
})

test('removes the certificate if the web has no TLS', async () => {
  const before = await seenBefore()
  const open = createPlainServer((_, response) => response.setHeader('content-type', 'text/html').end(hello))
  await new Promise<void>((resolve) => open.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void open.close())
  const { port: plain } = open.address() as AddressInfo
  expect(await refresh(null, `hotel.test:443:127.0.0.1:1,hotel.test:80:127.0.0.1:${plain}`)).toEqual({
    state: 'succeeded',
    problems: [],
  })
  expect(await known()).toEqual({ ...before, cert_ca: null, cert_expiration: null })
  expect((await facts()).certificate).toEqual({
    ...seenAt(at.clock),
    error: 'The web has no certificate: nothing listens on port 443.',
  })
})

test('misses nothing if Plesk and name servers agree that nothing is there', async () => {
  await seenBefore()
  names.state.zone = {}
  expect(await refresh(null, 'hotel.test:443:127.0.0.1:1,hotel.test:80:127.0.0.1:1')).toEqual({
    state: 'succeeded',
    problems: [],
  })
  expect(await known()).toMatchObject({ domain_status: 3, http_status_code: null })
})

test('keeps framework and version if the page is an error', async () => {
  const before = await seenBefore()
  answerOf.site = (response) => void response.writeHead(503).end(hello.replace('TYPO3', 'WordPress'))
  expect(await refresh()).toEqual({ state: 'succeeded', problems: [] })
  expect(await known()).toEqual({ ...before, http_status_code: 503 })
  expect((await facts()).framework).toEqual({
    seen_at: new Date(start),
    tried_at: new Date(at.clock),
    error: 'https://hotel.test/ answered 503.',
  })
})
