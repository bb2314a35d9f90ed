import { credentialsNotValid, login } from '@kustos/contract/auth'
import { newWebForm, newWebRequest, requestTexts, trialDayForm } from '@kustos/contract/deployment'
import { errorTexts } from '@kustos/contract/errors'
import { domainTexts, newExternalDomain } from '@kustos/contract/external-domains'
import { logQuery } from '@kustos/contract/logs'
import { newRole, newUser, ownSettings, userTexts } from '@kustos/contract/users'
import { webChange } from '@kustos/contract/webs'
import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { sourceMissing } from '../features/deployment/request-rules.ts'
import { unreachable } from './api-error.ts'
import { domainSentences } from './messages/de/domain-sentences.ts'
import { entrySentences } from './messages/de/entry-sentences.ts'
import { sentences } from './messages/de/sentences.ts'
import { trackingSentences } from './messages/de/tracking-sentences.ts'
import { userSentences } from './messages/de/user-sentences.ts'
import { sentence, sentencesNamespace } from './sentences.ts'

beforeAll(async () => {
  const resources = {
    de: {
      [sentencesNamespace]: {
        ...entrySentences,
        ...sentences,
        ...domainSentences,
        ...trackingSentences,
        ...userSentences,
      },
    },
  }
  await i18next.init({ lng: 'de', resources })
})

const long = 'x'.repeat(20_000)
const wrongInputs: readonly (readonly [string, z.ZodType, readonly unknown[]])[] = [
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

const wrongPeople: typeof wrongInputs = [
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
    'what the log is cut by',
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

const wrongDomains: typeof wrongInputs = [
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

const wrongRequest = { sourceRepo: '', bnName: '', futureDomain: '', customer: '' }
const wrongRequests: typeof wrongInputs = [
  [
    'a request for a web',
    newWebForm,
    [
      wrongRequest,
      { sourceRepo: '../x', bnName: '104', futureDomain: 'www.neu.test', customer: 'Meier' },
      { sourceRepo: long, bnName: long, futureDomain: long, customer: long },
    ],
  ],
  [
    'its body',
    newWebRequest,
    [
      wrongRequest,
      { sourceRepo: 'x', bnName: 'schnuppertag-A', futureDomain: 'schnuppertag-b', customer: 'X' },
    ],
  ],
  ['a trial-day web', trialDayForm, [{ codename: '' }, { codename: 'A' }, { codename: 'a'.repeat(19) }]],
]

describe('the German sentences', () => {
  it.each([...wrongInputs, ...wrongPeople, ...wrongDomains, ...wrongRequests])(
    'cover what the contract says of %s',
    (_, schema, inputs) => {
      const messages = inputs.flatMap((input) => schema.safeParse(input).error?.issues ?? [])
      expect(messages.length).toBeGreaterThan(inputs.length)
      for (const { message } of messages) expect(sentence(message)).not.toBe(message)
    },
  )

  it('cover the texts that clients know by heart', () => {
    for (const text of [
      ...Object.values(errorTexts),
      ...Object.values(requestTexts),
      ...Object.values(domainTexts),
      ...Object.values(userTexts),
      ...Object.values(sourceMissing),
      credentialsNotValid,
      unreachable,
    ]) {
      expect(sentence(text)).not.toBe(text)
    }
  })

  it('keep what varies in its place', () => {
    expect(sentence("Can't be longer than 255 characters")).toBe('Höchstens 255 Zeichen')
    expect(sentence('ada@kustos.test has changed this web at 2026/11/20 09:05:00. Nothing was saved.')).toBe(
      'ada@kustos.test hat dieses Web am 2026/11/20 09:05:00 geändert. Es wurde nichts gespeichert.',
    )
  })

  it('keep the address of a page whole', () => {
    expect(sentence('The script https://cdn.test/a-1.js is larger than 2 MiB; the rest was not read.')).toBe(
      'Das Skript https://cdn.test/a-1.js ist größer als 2 MiB; der Rest wurde nicht gelesen.',
    )
  })

  it('leave a sentence that they do not have as it is', () => {
    expect(sentence('Something new, said 3 times.')).toBe('Something new, said 3 times.')
  })
})
