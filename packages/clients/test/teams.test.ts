import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openTeams } from '../src/teams/teams.ts'

test.each([
  ['24.test is down', String.raw`24\.test is down`],
  ['192.0.2.7: 5 webs are down', String.raw`192\.0.2.7: 5 webs are down`],
  ['a.test is down: 503.', 'a.test is down: 503.'],
  ['- [a](b) *c*', String.raw`\- \[a\](b) \*c\*`],
])('the title %j is no Markdown', async (title, escaped) => {
  const posted: string[] = []
  const server = createServer(async (request, response) => {
    posted.push(await text(request))
    response.writeHead(202).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const channel = openTeams({
    url: `http://127.0.0.1:${port}/workflow`,
    guard: { allowNetworks: ['127.0.0.0/8'] },
  })
  onTestFinished(async () => {
    await channel.close()
    server.close()
  })
  await channel.send({ id: 'kustos-alert-1', title, lines: [] })
  const card = { content: { body: [{ text: escaped }] } }
  expect(posted.map((body) => JSON.parse(body))).toMatchObject([{ attachments: [card] }])
})
