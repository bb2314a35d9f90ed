import { expect, it } from 'vitest'
import { isListed } from '../src/webs/index.ts'

const web = { status: 0, domain_status: 1, fqdn: 'hotel.test' }

it.each([
  ['an active one that is online', web, '', true],
  ['the same, beside a marker', web, '.intern.', true],
  ['an inactive one', { ...web, status: 16 }, '', false],
  ['one of unknown status', { ...web, status: null }, '', false],
  ['one that lies elsewhere', { ...web, domain_status: 2 }, '', false],
  ['one nobody has asked name servers about', { ...web, domain_status: null }, '', false],
  ['an internal one', { ...web, fqdn: 'hotel.intern.test' }, '.intern.', false],
  ['the same without a marker', { ...web, fqdn: 'hotel.intern.test' }, '', true],
])('%s (%j, %j): listed is %j', (_, listed, marker, is) => {
  expect(isListed(listed, marker)).toBe(is)
})
