import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMail } from '@kustos/clients/mail'
import { openSlack } from '@kustos/clients/slack'
import { openTelegram } from '@kustos/clients/telegram'
import { checkDelivery } from '@kustos/clients/testing/delivery'
import { checkDns } from '@kustos/clients/testing/names'
import { checkPages, checkProber } from '@kustos/clients/testing/web'
import { afterAll, describe } from 'vitest'
import { registeredDomains, rejectNames, resolveTo, startDns } from '../src/dns/index.ts'
import { type Message, startMessages } from '../src/messages/index.ts'
import { findHostsByBehaviour } from '../src/seed/behaviours.ts'
import { ownSeedDomains } from '../src/seed/domains.ts'
import { startSites } from '../src/sites/index.ts'

// Runs the contract tests of the clients against the services of the sandbox. Those of Bitbucket, Plesk and the registrar
// are in the test files of these services.

const folder = await mkdtemp(join(tmpdir(), 'kustos-promises-'))
const host = 'www.alpenhof-latemar.test'
await mkdir(join(folder, 'nodes'))
const sites = await startSites({
  folder: join(folder, 'authority'),
  nodesFolder: join(folder, 'nodes'),
  webs: new Map(
    [host, ...findHostsByBehaviour('plain')].map((fqdn) => [
      fqdn,
      { fqdn, customer: 'A', framework: null, topics: [], tracking: null },
    ]),
  ),
})
const authority = await readFile(sites.authorityFile, 'utf8')
const ownDomain = ownSeedDomains.find(({ fqdn }) => /^[a-z0-9.-]+$/.test(fqdn))
const dns = await startDns([
  registeredDomains(ownDomain ? [ownDomain] : [], new Set([host])),
  rejectNames(new Set(['niemand.test', 'www.niemand.test'])),
  resolveTo('127.0.0.1'),
])
const messages = await startMessages(join(folder, 'messages'))
afterAll(async () => {
  await Promise.all([sites, dns, messages].map(({ stop }) => stop()))
  await rm(folder, { recursive: true, force: true })
})

describe('names', () => {
  checkDns(() => ({ servers: [dns.server], domain: ownDomain?.fqdn ?? '', unregistered: 'niemand.test' }))
})

describe('webs', () => {
  const [plain = ''] = findHostsByBehaviour('plain')
  const [refusing = ''] = findHostsByBehaviour('refusing')
  const target = () => ({
    settings: { connectTo: sites.connectTo, authorities: [authority], dnsServers: [dns.server] },
    host,
    plain,
    refusing,
    ownAuthority: true,
  })
  describe('probed', () => checkProber(target))
  describe('read', () => checkPages(target))
})

const buildUrl = (path: string) => new URL(path, messages.url.replace('localhost', '127.0.0.1'))

/** The messages that the sandbox received by a channel, and the health of the channel. */
const sandboxChannel = (channel: Message['channel']) => ({
  async texts() {
    const { data } = (await (await fetch(buildUrl('/messages.json'))).json()) as { data: readonly Message[] }
    return data
      .filter((message) => message.channel === channel)
      .map(({ subject, text }) => `${subject ?? ''}\n${text}`)
      .reverse()
  },
  setHealth: (isHealthy: boolean) =>
    fetch(buildUrl(`/health/${channel}`), {
      method: 'PUT',
      body: JSON.stringify({ answer: isHealthy ? 'ok' : channel === 'mail' ? 451 : 503 }),
    }),
})

describe('Slack', () => {
  const url = messages.slack.SLACK_WEBHOOK_URL
  checkDelivery(() => ({ ...sandboxChannel('slack'), open: () => openSlack({ url }), secrets: [url] }))
})

describe('Telegram', () => {
  const { TELEGRAM_URL: url, TELEGRAM_BOT_TOKEN: token, TELEGRAM_CHAT_ID: chat } = messages.telegram
  checkDelivery(() => ({
    ...sandboxChannel('telegram'),
    open: () => openTelegram({ url, token, chat }),
    secrets: [token],
  }))
})

describe('mail', () => {
  const { SMTP_URL: url, MAIL_FROM: from } = messages.mail
  checkDelivery(() => ({
    ...sandboxChannel('mail'),
    open: () => {
      const { send } = openMail({ url, from })
      return {
        send: (message, signal) => send({ to: 'verena@kustos.test', message, id: 'kustos-1' }, signal),
      }
    },
    secrets: [],
  }))
})
