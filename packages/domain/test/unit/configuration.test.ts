import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfiguration } from '../../src/platform/configuration/index.ts'

it('has defaults and treats empty variables as unset', () => {
  expect(readConfiguration({ PORT: '', HOME: '/root' })).toMatchObject({
    ok: true,
    configuration: { PORT: 3000, HOST: '127.0.0.1', KUSTOS_DATA_DIR: '.kustos', TRUST_PROXY: [] },
  })
})

it.each([
  ['1 month', 1],
  ['18 months', 18],
  ['3 years', 36],
])('reads a retention of %s', (text, months) => {
  expect(readConfiguration({ AUDIT_RETENTION: text, AUDIT_ARCHIVE_DIR: '/archive' })).toMatchObject({
    configuration: { AUDIT_RETENTION: months },
  })
})

it('lower-cases the marker of internal hosts', () => {
  expect(readConfiguration({ INTERNAL_DOMAIN_MARKER: ' .Intern. ' })).toMatchObject({
    configuration: { INTERNAL_DOMAIN_MARKER: '.intern.' },
  })
})

it.each([
  [{ PORT: '0' }, 'PORT must be at least 1.'],
  [{ PORT: '65536' }, 'PORT must be at most 65535.'],
  [{ PORT: 'http' }, 'PORT must be a whole number from 1 to 65535.'],
  [
    { DATABASE_URL: 'mysql://localhost' },
    'DATABASE_URL must look like postgres://user:password@host:5432/database.',
  ],
  [
    { DATABASE_OWNER_URL: 'owner' },
    'DATABASE_OWNER_URL must look like postgres://user:password@host:5432/database.',
  ],
  [{ SESSION_SECRET: 'short' }, 'SESSION_SECRET must have at least 32 characters.'],
  [{ TRUST_PROXY: '10.0.0.0/8, everybody' }, 'TRUST_PROXY must list addresses or networks (CIDR).'],
  [{ ALLOWED_HOSTS: 'kustos.test:443' }, 'ALLOWED_HOSTS must list host names without ports.'],
  ...[
    'PUBLIC_URL',
    'SLACK_WEBHOOK_URL',
    'TELEGRAM_URL',
    'PAGERDUTY_URL',
    'BITBUCKET_URL',
    'HEARTBEAT_URL',
  ].map((name): [Record<string, string>, string] => [
    { [name]: 'kustos.test:3000' },
    `${name} must be a URL.`,
  ]),
  [{ PROBE_INTERVAL: '1' }, 'PROBE_INTERVAL must be at least 2.'],
  [{ PROBE_INTERVAL: '420' }, 'PROBE_INTERVAL must divide an hour, as 30, 60 and 300 do.'],
  [{ CONNECT_TO: 'web.test:443' }, 'CONNECT_TO must list HOST1:PORT1:HOST2:PORT2, separated by commas.'],
  [{ PROBE_ALLOW_NETWORKS: '10.0.0.1' }, 'PROBE_ALLOW_NETWORKS must list networks (CIDR).'],
  [
    { DNS_SERVERS: 'dns.test' },
    'DNS_SERVERS must list addresses such as 9.9.9.9, 127.0.0.1:5353 or [2620:fe::fe]:53.',
  ],
  [{ TRACKING_BROWSER_SANDBOX: 'no' }, 'TRACKING_BROWSER_SANDBOX must be required or optional.'],
  [{ TRACKING_BROWSER_USER: 'Mallory x' }, 'TRACKING_BROWSER_USER must be a user name.'],
  [{ PLESK_API_KEYS: 'secret' }, 'PLESK_API_KEYS must list NODE=KEY, separated by commas.'],
  [
    { PLESK_CERTIFICATES: 'bz-cloud-01=AA:BB' },
    'PLESK_CERTIFICATES must list NODE=FINGERPRINT (SHA-256, in hexadecimal digits), separated by commas.',
  ],
  ...['0 months', '-3 months', '36', '2 weeks', '1.5 years', 'forever'].map(
    (value): [Record<string, string>, string] => [
      { AUDIT_RETENTION: value, AUDIT_ARCHIVE_DIR: '/archive' },
      'AUDIT_RETENTION must be a time such as 18 months or 3 years.',
    ],
  ),
  [{ AUDIT_RETENTION: '3 years' }, 'AUDIT_RETENTION needs AUDIT_ARCHIVE_DIR, the folder of the archives.'],
  [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must have at least 16 letters and digits.'],
  [{ METRICS_PORT: '70000' }, 'METRICS_PORT must be at most 65535.'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be a level of pino, such as info.'],
  [{ KUSTOS_SANDBOX_WEBS: '-5' }, 'KUSTOS_SANDBOX_WEBS must be a whole number from 1 to 200000.'],
])('rejects %j with an explanation', (environment, sentence) => {
  expect(readConfiguration(environment)).toEqual({ ok: false, sentence })
})

it.each([
  [{ CONNECT_TO: ':443::8443,web.test:80:[::1]:8080' }],
  [{ DNS_SERVERS: '9.9.9.9, 127.0.0.1:5353,2620:fe::fe,[2620:fe::fe]:53' }],
  [{ PLESK_API_KEYS: 'a=1-2, b=3=', PLESK_CERTIFICATES: `a=${'AB:'.repeat(31)}cd,b=${'ab'.repeat(32)}` }],
  [{ PROBE_INTERVAL: '300', PROBE_ALLOW_NETWORKS: '10.0.0.0/8,fd00::/8' }],
])('accepts %j', (environment) => {
  expect(readConfiguration(environment)).toMatchObject({ ok: true })
})

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kustos-secrets-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const writeSecret = (content: string) => {
    const path = join(folder, 'secret')
    writeFileSync(path, content)
    return path
  }
  const secret = 'a secret of more than 32 characters'

  it.each(['', '\n', '\r\n'])('is read without its trailing newline (%j)', (end) => {
    expect(
      readConfiguration({ SESSION_SECRET_FILE: writeSecret(`${secret}${end}`), SESSION_SECRET: '' }),
    ).toMatchObject({
      ok: true,
      configuration: { SESSION_SECRET: secret },
    })
  })

  it.each([
    'DATABASE_URL',
    'DATABASE_OWNER_URL',
    'REDIS_URL',
    'SMTP_URL',
    'SLACK_WEBHOOK_URL',
    'TELEGRAM_BOT_TOKEN',
    'BITBUCKET_TOKEN',
    'LIMITIS_API_TOKEN',
    'METRICS_TOKEN',
    'PLESK_API_KEYS',
  ])('may be %s, but not beside the variable itself', (name) => {
    const environment = { [`${name}_FILE`]: writeSecret(secret), [name]: secret }
    expect(readConfiguration(environment)).toEqual({
      ok: false,
      sentence: `${name} and ${name}_FILE are both set: give one of them.`,
    })
  })

  it.each([
    ['does not exist', () => join(folder, 'nowhere'), /^SESSION_SECRET_FILE cannot be read: ENOENT.*\.$/],
    ['is a folder', () => folder, /^SESSION_SECRET_FILE cannot be read: EISDIR.*\.$/],
    ['is empty', () => writeSecret('\n'), /^SESSION_SECRET_FILE names an empty file\.$/],
    [
      'holds an invalid value',
      () => writeSecret('short'),
      /^SESSION_SECRET must have at least 32 characters\.$/,
    ],
  ])('stops the start if the file %s', (_, path, sentence) => {
    const read = readConfiguration({ SESSION_SECRET_FILE: path() })
    expect(read).toEqual({ ok: false, sentence: expect.stringMatching(sentence) })
  })
})
