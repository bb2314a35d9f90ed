import { expect, it } from 'vitest'
import { checkMetricsAccess } from '../../src/metrics/index.ts'

it.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:10.0.0.1', false],
  ['10.0.0.1', false],
  ['192.168.1.1', false],
  ['203.0.113.5', false],
  ['2001:db8::1', false],
  ['', false],
  [undefined, false],
])('lets a connection from %s read metrics without a token: %s', (peer, ok) => {
  expect(checkMetricsAccess({ peer, headers: {} }, null).ok).toBe(ok)
  expect(
    checkMetricsAccess(
      { peer, headers: { authorization: 'Bearer a-token-of-some-length' } },
      'a-token-of-some-length',
    ),
  ).toEqual({ ok: true })
})
