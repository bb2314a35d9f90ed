import { setTimeout as sleep } from 'node:timers/promises'
import { users } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { expect, it } from 'vitest'
import { readConfiguration } from '../src/platform/configuration/index.ts'
import { logWith, openLog } from '../src/platform/logger/index.ts'
import { secretsOf } from '../src/platform/masking/index.ts'

const database = await testDatabase()

function openTestLog(secrets: readonly string[] = []) {
  const written: string[] = []
  const log = openLog({
    name: 'test',
    level: 'trace',
    secrets,
    to: { write: (line) => void written.push(line) },
  })
  return { log, written, text: () => written.join('') }
}

it('logs why a statement failed without its parameters', async () => {
  const { log, text } = openTestLog()
  const row = { email: 'anna@kustos.test', name: 'Anna', password_hash: 'Hash-Of-Annas-Password' }
  await database.db.insert(users).values(row)
  const error = await database.db
    .insert(users)
    .values(row)
    .catch((thrown: unknown) => thrown)
  expect(String(error)).toContain('Hash-Of-Annas-Password')
  log.warn({ err: error }, 'with a text')
  log.warn({ err: error })
  log.warn(error)
  log.warn(String(error))
  expect(text()).not.toMatch(/Hash-Of-Annas|anna@kustos/)
  const [first] = text().split('\n')
  expect(JSON.parse(first ?? '')).toMatchObject({
    err: {
      message: expect.stringMatching(/^Failed query: insert into "users"/),
      stack: expect.stringMatching(/^ {4}at /),
      cause: {
        code: '23505',
        constraint: expect.any(String),
        message: expect.stringMatching(/duplicate key/),
      },
    },
  })
})

it.each([
  ['a header', { headers: { authorization: 'Bearer Sesame-Sesame' } }],
  ['a header in a text', { text: 'Authorization: Bearer Sesame-Sesame-Sesame' }],
  ['cookies', { deep: { deeper: { 'set-cookie': ['a=Sesame; Path=/', 'b=Sesame'], cookie: 'x=Sesame' } } }],
  ['a cookie by its name', { text: 'kustos_session=Sesame; XSRF-TOKEN=Sesame' }],
  ['a token of a form', { 'x-xsrf-token': 'Sesame', old_password: 'Sesame "quoted" Sesame' }],
  ['JSON in a text', { body: JSON.stringify({ email: 'a@b.test', password: 'Sesame' }) }],
  ['a URL with a password', { url: 'postgres://kustos:Sesame@db:5432/kustos and smtp://u:Sesame%21@mail' }],
  ['a Slack webhook', { url: 'https://hooks.slack.com/services/T0/B0/Sesame' }],
  ['the token of a Telegram bot', { url: 'https://api.telegram.org/bot123456:Sesame-Sesame/sendMessage' }],
  ['a hash', { text: 'was $argon2id$v=19$m=19456,t=2,p=1$Sesame$Sesame' }],
  ['an error with options', { err: Object.assign(new Error('no'), { options: { auth: 'Sesame' } }) }],
  ['the cause of an error', { err: new Error('no', { cause: new Error('at https://u:Sesame@host/') }) }],
])('redacts %s and keeps the line valid JSON', (_, fields) => {
  const { log, written, text } = openTestLog()
  log.info(fields, 'message')
  expect(text()).not.toContain('Sesame')
  expect(written.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'message' }])
})

it('does not redact ordinary fields', () => {
  const { log, text } = openTestLog()
  const fields = {
    path: '/api/webs/12',
    url: 'https://web.test:8443/a@b',
    ms: 1.5,
    task: 'purge-sessions',
  }
  log.info(fields, 'Basic facts of a bearer')
  expect(JSON.parse(text())).toMatchObject({ ...fields, msg: 'Basic facts of a bearer' })
})

it('redacts every secret of the configuration', () => {
  const secrets = {
    SESSION_SECRET: 'session-secret-with-32-characters!',
    METRICS_TOKEN: 'metrics-token-of-16',
    DATABASE_URL: 'postgres://kustos:data%2Bbase-pass@db/kustos',
    REDIS_URL: 'redis://:redis-password@redis:6379',
    BITBUCKET_TOKEN: 'bot@agency.test:bitbucket-token',
    LIMITIS_API_TOKEN: 'limitis "token" \\ odd',
    SLACK_WEBHOOK_URL: 'https://slack.test/services/T0/B0/slack-secret',
    TELEGRAM_BOT_TOKEN: '123456:telegram-token',
    SMTP_URL: 'smtp://mail:mail-password@mail.test',
    PLESK_API_KEYS: 'n1=plesk-key-one,n2=plesk-key-two',
  }
  const read = readConfiguration(secrets)
  if (!read.ok) throw new Error(read.sentence)
  const { log, text } = openTestLog(secretsOf(read.configuration))
  const parts = [
    'session-secret-with-32-characters!',
    'metrics-token-of-16',
    'data+base-pass',
    'data%2Bbase-pass',
    'redis-password',
    'bitbucket-token',
    Buffer.from(secrets.BITBUCKET_TOKEN).toString('base64'),
    'limitis "token" \\ odd',
    '/services/T0/B0/slack-secret',
    'telegram-token',
    'mail-password',
    'plesk-key-one',
    'plesk-key-two',
  ]
  for (const part of parts) log.info({ about: { it: `The server responded: ${part}.` } }, part)
  for (const line of text().trim().split('\n'))
    expect(JSON.parse(line)).toMatchObject({
      msg: '[secret]',
      about: { it: 'The server responded: [secret].' },
    })
})

it("adds a job's context to its log lines at any depth, and to no others", async () => {
  const { log, written } = openTestLog()
  const work = (job: string) =>
    logWith({ job }, async () => {
      await sleep(1)
      await logWith({ step: `${job}-step` }, async () => {
        await sleep(1)
        log.info('inside')
      })
      log.info('after')
    })
  await Promise.all([work('one'), work('two')])
  log.info('outside')
  const messages = written
    .map((line) => JSON.parse(line))
    .map(({ job, step, msg }) => [job, step, msg].join(' '))
  expect(messages.sort()).toEqual(
    ['  outside', 'one  after', 'one one-step inside', 'two  after', 'two two-step inside'].sort(),
  )
})
