import { expect, it } from 'vitest'
import { isListed } from '../src/webs/index.ts'

const web = { status: 0, domain_status: 1, fqdn: 'hotel.test' }

it.each([
  ['an active web with an online domain', web, '', true],
  ['the same web, with a marker configured', web, '.intern.', true],
  ['an inactive web', { ...web, status: 16 }, '', false],
  ['a web of unknown status', { ...web, status: null }, '', false],
  ['a web with an external domain', { ...web, domain_status: 2 }, '', false],
  ['a web whose domain was never checked', { ...web, domain_status: null }, '', false],
  ['an internal web', { ...web, fqdn: 'hotel.intern.test' }, '.intern.', false],
  ['the same name, with no marker configured', { ...web, fqdn: 'hotel.intern.test' }, '', true],
])('%s (%j, marker %j) is listed: %j', (_, listed, marker, expected) => {
  expect(isListed(listed, marker)).toBe(expected)
})
