import { login } from '@kustos/contract/auth'
import { newWebForm, newWebRequest, trialDayForm } from '@kustos/contract/deployment'
import { newExternalDomain } from '@kustos/contract/external-domains'
import { logQuery } from '@kustos/contract/logs'
import { issue, message } from '@kustos/contract/messages'
import { englishMessages, englishText } from '@kustos/contract/messages/english'
import { inputMessage } from '@kustos/contract/messages/input-message'
import { newRole, newUser, ownSettings } from '@kustos/contract/users'
import { webChange } from '@kustos/contract/webs'
import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { ApiError } from './api-error.ts'
import { errorText, fieldTexts, issueText, messageText, storedText, storedTexts } from './message-text.ts'
import * as german from './messages/de/index.ts'

beforeAll(async () => {
  const resources = { de: { translation: german } }
  await i18next.init({ lng: 'de', resources, interpolation: { escapeValue: false } })
})

const long = 'x'.repeat(20_000)
const invalidInputs: readonly (readonly [string, z.ZodType, readonly unknown[]])[] = [
  ['login', login, [{ email: '', password: '' }, { email: 'x', password: 'y' }, {}]],
  [
    'own settings',
    ownSettings,
    [
      { name: '', email: 'x', password: 'short' },
      { name: long, email: 'a@b.example', password: long },
      { name: '\u0000', email: 'a@b.example' },
    ],
  ],
  [
    'a web',
    webChange,
    [
      { fqdn: '', customer: '', configured_ip: '' },
      { fqdn: '-', customer: long, configured_ip: 'nowhere', auftragnr_hosting: ['', 'a,b'], comment: long },
      { fqdn: long, customer: 'x\u0000', configured_ip: '192.0.2.1' },
    ],
  ],
]

const invalidUsersAndFilters: typeof invalidInputs = [
  [
    'a user',
    newUser,
    [
      { name: '', email: '', password: 'short', roles: [] },
      { name: long, email: 'x', password: long, roles: [] },
    ],
  ],
  [
    'a role',
    newRole,
    [
      { name: '', permissions: [] },
      { name: `${long}\u0000`, permissions: [] },
      { name: 'admin\u200b', permissions: [] },
    ],
  ],
  [
    'a filter of the log',
    logQuery,
    [
      { subject_id: 'x', from: 'yesterday' },
      { subject_id: '3' },
      { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
      { from: 'x', to: 'y' },
      { causer: 'abc', from: '0000-01-01T00:00:00Z' },
    ],
  ],
]

const invalidDomains: typeof invalidInputs = [
  [
    'an external domain',
    newExternalDomain,
    [
      'https://a.test/',
      'a@b.test',
      'a b.test',
      'a_b.test',
      '192.0.2.1',
      'a.test:80',
      '*.test',
      '.a.test',
      'localhost',
      `${'x'.repeat(200)}.test`,
      '',
    ].map((fqdn) => ({ fqdn, customer: '', domainprovider: '' })),
  ],
]

const invalidRequest = { sourceRepo: '', bnName: '', futureDomain: '', customer: '' }
const invalidRequests: typeof invalidInputs = [
  [
    'a request for a web',
    newWebForm,
    [
      invalidRequest,
      { sourceRepo: '../x', bnName: '104', futureDomain: 'www.neu.test', customer: 'Meier' },
      { sourceRepo: long, bnName: long, futureDomain: long, customer: long },
    ],
  ],
  [
    'the body of such a request',
    newWebRequest,
    [
      invalidRequest,
      { sourceRepo: 'x', bnName: 'schnuppertag-A', futureDomain: 'schnuppertag-b', customer: 'X' },
    ],
  ],
  ['a trial-day web', trialDayForm, [{ codename: '' }, { codename: 'A' }, { codename: 'a'.repeat(19) }]],
]

it.each([...invalidInputs, ...invalidUsersAndFilters, ...invalidDomains, ...invalidRequests])(
  'translates the validation errors of %s into German',
  (_, schema, inputs) => {
    const issues = inputs.flatMap(
      (input) => schema.safeParse(input, { error: inputMessage }).error?.issues ?? [],
    )
    expect(issues.length).toBeGreaterThan(inputs.length)
    for (const { message: text } of issues) expect(issueText(text)).not.toMatch(/^\{|\{\{/)
  },
)

it('translates every message into German and fills in its parameters', () => {
  for (const [code, english] of Object.entries(englishMessages)) {
    const names = [...english.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '')
    const text = messageText({ code, params: Object.fromEntries(names.map((name) => [name, `<${name}>`])) })
    for (const name of names) expect(text, code).toContain(`<${name}>`)
    expect(text, code).not.toContain('{{')
  }
})

describe('a message', () => {
  it('is translated with the messages within it', () => {
    const staleWeb = message('stale_web', { who: message('by_import'), at: '2026/11/20 09:05:00' })
    expect(messageText(staleWeb)).toBe(
      'Ein Import aus dem bisherigen System hat dieses Web am 2026/11/20 09:05:00 geändert. Es wurde nichts gespeichert.',
    )
  })

  it('names the fields that it is about as lists and log entries do', () => {
    const fields = 'monitoring_web_reporting_channel, php_version, domain_state, ssh_port, gtm, something_new'
    expect(messageText(message('change_outdated', { who: 'a@b.test', at: '2026/11/22 09:05', fields }))).toBe(
      'a@b.test hat dies am 2026/11/22 09:05 erneut geändert: Alarmkanäle, PHP-Version, Domain-Verwaltung, SSH-Port, Google Tag Manager, something_new. Es wurde nichts rückgängig gemacht.',
    )
  })

  it('has no text if the catalogue lacks it or a message within it', () => {
    expect(messageText({ code: 'something_new' })).toBeUndefined()
    expect(
      messageText({ code: 'stale_web', params: { who: { code: 'by_somebody_new' }, at: '' } }),
    ).toBeUndefined()
  })
})

describe('an error', () => {
  it('is translated by its code', () => {
    expect(errorText(new ApiError(409, { ...message('last_admin'), message: 'The last admin …' }))).toBe(
      'Der letzte Administrator kann weder gelöscht werden noch die Rolle verlieren.',
    )
  })

  it('stays in English if its code is unknown', () => {
    const error = new ApiError(409, { code: 'something_new', message: 'Something new.' })
    expect(errorText(error)).toBe('Something new.')
  })

  it('shows the error of the first field and the number of the others', () => {
    const error = new ApiError(422, {
      ...message('invalid_input'),
      message: 'Name is required (and 1 more error)',
      errors: { name: ['Name is required'], roles: ['Something new'] },
      error_codes: { name: [message('name_required')], roles: [{ code: 'something_new' }] },
    })
    expect(errorText(error)).toBe('Der Name ist erforderlich (und 1 weiterer Fehler)')
    expect(fieldTexts(error)).toEqual({ name: ['Der Name ist erforderlich'], roles: ['Something new'] })
  })
})

it('translates an issue by its code and keeps a text without one', () => {
  expect(issueText(issue('too_long', { max: 255 }))).toBe('Höchstens 255 Zeichen')
  expect(issueText('Invalid input')).toBe('Invalid input')
})

it('translates a stored message by its code and keeps one without a code', () => {
  const sentence = 'The command ended with exit code 2.'
  expect(storedText(sentence, null, null)).toBe(sentence)
  expect(storedText(sentence, 'command_exited', { exitCode: 2 })).toBe(
    'Der Befehl endete mit dem Exit-Code 2.',
  )
  expect(storedText('no response within 10 s', 'no_response_in_time', { seconds: 10 })).toBe(
    'keine Antwort innerhalb von 10 s',
  )
})

it.each([
  [
    message('script_unread', { url: '/app.js', reason: message('server_answered', { status: 500 }) }),
    'Das Skript /app.js war nicht lesbar: der Server antwortete mit 500.',
  ],
  [
    message('several_problems', {
      first: message('service_timed_out', { service: message('plesk_on', { node: 'tyrol' }), seconds: 10 }),
      rest: message('plesk_aliases_missing', { node: 'tyrol', fqdn: 'hotel.test' }),
    }),
    'Plesk auf tyrol antwortete nicht innerhalb von 10 s. Plesk auf tyrol hat die Aliasse von hotel.test nicht gemeldet.',
  ],
])('translates the problem of an inspection: %j', (problem, german) => {
  const sentences = [englishText(problem), 'Written by a former release.']
  expect(storedTexts(sentences, [problem])).toEqual([german, 'Written by a former release.'])
})
