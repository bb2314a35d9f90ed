import { afterAll, describe } from 'vitest'
import { openMail } from '../src/mail/mail.ts'
import { openSlack } from '../src/slack/slack.ts'
import { openTelegram } from '../src/telegram/telegram.ts'
import { checkBitbucket } from './bitbucket-kit.ts'
import { startBitbucketServer } from './bitbucket-server.ts'
import {
  type HttpReply,
  type PostedRequest,
  startHttpReceiver,
  startMailReceiver,
} from './channel-receivers.ts'
import { checkDelivery } from './delivery-kit.ts'
import { checkDns } from './dns-kit.ts'
import { startDnsServer } from './dns-server.ts'
import { makeAuthority } from './probe-certificates.ts'
import { respondWith, startSite } from './probe-sites.ts'
import { checkRegistrar } from './registrar-kit.ts'
import { startRegistrarServer } from './registrar-server.ts'
import { checkPages, checkProber } from './web-kit.ts'

// Runs the contract tests of each client against the servers of its own tests; the sandbox runs them against its services.

const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

describe('Bitbucket', async () => {
  const server = await startBitbucketServer()
  stops.push(server.stop)
  server.state.repositories = ['one', 'two', 'three'].map((name) => ({ name }))
  checkBitbucket(() => ({ url: server.url, workspace: 'agency', credentials: 'secret-token' }), {
    forks: false,
  })
})

describe('the registrar', async () => {
  const server = await startRegistrarServer()
  stops.push(server.stop)
  server.state.domains = ['a', 'b', 'c'].map((name) => ({ fqdn: `${name}.test`, customer: 'KÖGL' }))
  server.state.mailboxes = [{ address: 'info@a.test', type: 'mailbox', customer: 'KÖGL' }]
  checkRegistrar(() => ({ url: server.url, token: 'secret-token' }))
})

describe('name servers', async () => {
  const server = await startDnsServer({ 'kunde.test': { SOA: 'NS.Provider.test', A: ['192.0.2.1'] } })
  stops.push(server.stop)
  const domain = { domain: 'kunde.test', address: '192.0.2.1', unregistered: 'niemand.test' }
  checkDns(() => ({ servers: [server.server], ...domain }))
})

describe('webs', async () => {
  const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
  const behaviour = respondWith(
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n<html',
  )
  const secure = await startSite({ credentials: await authority.issue({ names: ['web.test'] }), behaviour })
  const plain = await startSite({ behaviour })
  stops.push(secure.stop, plain.stop)
  const target = () => ({
    settings: {
      connectTo: [
        `web.test:443:127.0.0.1:${secure.port}`,
        `plain.test:80:127.0.0.1:${plain.port}`,
        '::127.0.0.1:1',
      ].join(','),
      authorities: [authority.cert],
    },
    host: 'web.test',
    plain: 'plain.test',
    refusing: 'nobody.test',
    ownAuthority: true,
  })
  describe('probed', () => checkProber(target))
  describe('fetched', () => checkPages(target))
})

/** The text as it is displayed: without tags and with decoded entities. */
const readText = ({ body }: PostedRequest) =>
  String(body.text)
    .replace(/<\/?b>/g, '')
    .replace(/&(lt|gt|amp);/g, (_, name: string) => ({ lt: '<', gt: '>' })[name] ?? '&')

async function startReceiver(usual: HttpReply) {
  const receiver = await startHttpReceiver(usual)
  stops.push(receiver.stop)
  const { state } = receiver
  return {
    origin: receiver.origin,
    texts: async () => state.posted.map(readText),
    setHealth: async (isHealthy: boolean) => {
      state.usual = isHealthy ? usual : { status: 503 }
    },
  }
}

describe('Slack', async () => {
  const secret = '/services/T0001/B0002/secretsecret'
  const receiver = await startReceiver({ status: 200, body: 'ok' })
  const open = () => openSlack({ url: receiver.origin + secret })
  checkDelivery(() => ({ ...receiver, open, secrets: [secret] }))
})

describe('Telegram', async () => {
  const token = '123456:secret-Token_x'
  const receiver = await startReceiver({ status: 200, body: '{"ok": true, "result": {"message_id": 1}}' })
  const open = () => openTelegram({ url: receiver.origin, token, chat: '-1001' })
  checkDelivery(() => ({ ...receiver, open, secrets: [token] }))
})

describe('mail', async () => {
  const receiver = await startMailReceiver()
  stops.push(receiver.stop)
  const { state } = receiver
  const from = 'Kustos <kustos@agency.test>'
  checkDelivery(() => ({
    open: () => {
      const { send } = openMail({ url: `smtp://127.0.0.1:${receiver.port}`, from })
      return {
        send: (message, signal) => send({ to: 'staff@agency.test', message, id: 'kustos-alert-1' }, signal),
      }
    },
    texts: async () => state.mails.map(({ headers, text }) => `${headers.get('subject')}\n${text}`),
    setHealth: async (isHealthy) => {
      state.refusals = isHealthy ? [] : [{ responseCode: 451, message: 'not now' }]
    },
    secrets: [],
  }))
})
