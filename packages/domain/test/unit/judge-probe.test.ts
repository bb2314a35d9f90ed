import type { Probed } from '@kustos/clients/probe'
import { readStatuses } from '@kustos/contract/checks'
import { expect, test } from 'vitest'
import { defaultWebCheck, type WebCheck } from '../../src/checks/index.ts'
import { judgeProbe } from '../../src/monitoring/judge-probe.ts'

const response: Probed = {
  startedAt: new Date(0),
  status: 200,
  reason: null,
  milliseconds: 300,
  certificate: null,
  isBlank: false,
  problem: null,
  texts: [],
}
const expecting = (statuses: string) => ({ expected: readStatuses(statuses) ?? [] })
const texts = { requiredText: 'Welcome', forbiddenText: 'Fatal error' }

test.each<[string, Partial<WebCheck>, Partial<Probed>, 'up' | 'degraded' | 'down', string | null]>([
  ['a page', {}, {}, 'up', null],
  ['a redirect', {}, { status: 302 }, 'up', null],
  ['418', {}, { status: 418 }, 'up', null],
  ['404', {}, { status: 404 }, 'down', null],
  ['410', {}, { status: 410 }, 'down', null],
  ['500', {}, { status: 500 }, 'down', null],
  ['an unknown status', {}, { status: 999 }, 'down', null],
  ['no response', {}, { status: null, reason: { code: 'no_connection' } }, 'down', 'no_connection'],
  ['401', {}, { status: 401 }, 'degraded', 'login_required'],
  ['403', {}, { status: 403 }, 'degraded', 'access_denied'],
  ['429', {}, { status: 429 }, 'degraded', 'requests_limited'],
  ['an expected 401', expecting('200-399,401'), { status: 401 }, 'up', null],
  ['an expected 503', expecting('503'), { status: 503 }, 'up', null],
  ['an expected 404', expecting('404'), { status: 404 }, 'up', null],
  ['200 instead of 401', expecting('401'), {}, 'down', 'status_down'],
  ['a redirect that is not expected', expecting('200-299'), { status: 302 }, 'down', 'status_down'],
  ['403 that is not expected', expecting('200-299'), { status: 403 }, 'degraded', 'access_denied'],
  ['both texts right', texts, { texts: [true, false] }, 'up', null],
  ['a missing text', texts, { texts: [false, false] }, 'down', 'text_missing'],
  ['a forbidden text', texts, { texts: [true, true] }, 'down', 'text_forbidden'],
  ['only a forbidden text', { forbiddenText: 'x' }, { texts: [true] }, 'down', 'text_forbidden'],
  ['only a required text', { requiredText: 'x' }, { texts: [true] }, 'up', null],
  [
    'a login wall without the text',
    texts,
    { status: 401, texts: [false, false] },
    'degraded',
    'login_required',
  ],
  [
    'a redirect elsewhere',
    {},
    { status: 302, problem: { code: 'redirect_elsewhere', params: { host: 'x' } } },
    'down',
    'redirect_elsewhere',
  ],
  ['an empty page', {}, { isBlank: true }, 'degraded', 'page_empty'],
  ['an empty page that is fine', { acceptsEmpty: true }, { isBlank: true }, 'up', null],
  ['an empty 204', {}, { status: 204, isBlank: true }, 'up', null],
  ['HEAD', { readsBody: false }, { isBlank: true }, 'up', null],
  ['a slow page', { slowMs: 300 }, {}, 'degraded', 'response_slow'],
  ['a page that is just not slow', { slowMs: 301 }, {}, 'up', null],
  ['a slow failure', { slowMs: 300 }, { status: 500 }, 'down', null],
  ['headers that cannot be read', { lacksHeaders: true }, {}, 'degraded', 'check_header_unreadable'],
])('%s', (_, check, probed, state, code) => {
  const judged = judgeProbe({ ...defaultWebCheck, ...check }, { ...response, ...probed }, true)
  expect({ state: judged.state, code: judged.reason?.code ?? null }).toEqual({ state, code })
})

test('an empty page of a web that never had one is up', () => {
  expect(judgeProbe(defaultWebCheck, { ...response, isBlank: true }, false).state).toBe('up')
})
