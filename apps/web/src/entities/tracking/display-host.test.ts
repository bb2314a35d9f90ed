import { expect, it } from 'vitest'
import { displayHost, displayUrls } from './display-host.ts'

it.each([
  ['xn--mller-kva.test', 'müller.test'],
  ['www.xn--bcker-gra.example', 'www.bäcker.example'],
  ['xn--strae-oqa.de', 'straße.de'],
  ['xn--tda.xn--tda.at', 'ü.ü.at'],
  ['_dmarc.xn--mller-kva.test', '_dmarc.müller.test'],
  ['plain.test', 'plain.test'],
])('shows a host as staff write it: %s', (host, shown) => {
  expect(displayHost(host)).toBe(shown)
})

it.each(['xn--80ak6aa92e.com', 'xn--0.test', 'xn--.test', 'xn--zzzzzzzzzzzzzzzzzz.test'])(
  'keeps confusable and invalid hosts as they are: %s',
  (host) => {
    expect(displayHost(host)).toBe(host)
  },
)

it('shows URLs with their readable host', () => {
  expect(displayUrls('https://xn--mller-kva.test/referrer.js?xn--mller-kva')).toBe(
    'https://müller.test/referrer.js?xn--mller-kva',
  )
  expect(displayUrls('xn--mller-kva.test')).toBe('müller.test')
  expect(displayUrls('GTM-XN--1')).toBe('GTM-XN--1')
})
