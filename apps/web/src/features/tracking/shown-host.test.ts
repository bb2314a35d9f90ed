import { expect, it } from 'vitest'
import { shownAddresses, shownHost } from './shown-host.ts'

it.each([
  ['xn--mller-kva.test', 'müller.test'],
  ['www.xn--bcker-gra.example', 'www.bäcker.example'],
  ['xn--strae-oqa.de', 'straße.de'],
  ['xn--tda.xn--tda.at', 'ü.ü.at'],
  ['plain.test', 'plain.test'],
])('a host reads as staff write it: %s', (host, shown) => {
  expect(shownHost(host)).toBe(shown)
})

it.each(['xn--80ak6aa92e.com', 'xn--0.test', 'xn--.test', 'xn--zzzzzzzzzzzzzzzzzz.test'])(
  'what looks like another host, or is none, stays as it is: %s',
  (host) => {
    expect(shownHost(host)).toBe(host)
  },
)

it('addresses show their hosts so, and keep all else', () => {
  expect(shownAddresses('https://xn--mller-kva.test/referrer.js?xn--mller-kva')).toBe(
    'https://müller.test/referrer.js?xn--mller-kva',
  )
  expect(shownAddresses('xn--mller-kva.test')).toBe('müller.test')
  expect(shownAddresses('GTM-XN--1')).toBe('GTM-XN--1')
})
