import { expect, it } from 'vitest'
import { frameworkSupport } from '../src/webs/framework-support.ts'

const today = new Date('2026-11-20T12:00:00Z')

it.each([
  ['TYPO3', '14.0.2', 'supported', '2029-06-30'],
  ['typo3', 'v13.4', 'supported', '2027-12-31'],
  ['TYPO3', '12.4.48', 'extended', '2029-04-30'],
  ['TYPO3', '11', 'extended', '2027-10-31'],
  ['TYPO3', '10.4.37', 'ended', '2026-04-30'],
  ['TYPO3', '7.6', 'ended', '2022-11-30'],
  ['TYPO3', '6.2', 'ended', '2019-03-31'],
  ['TYPO3', '4.5.40', 'ended', '2016-03-31'],
])('%s %s is %s until %s', (name, version, support, until) => {
  expect(frameworkSupport(name, version, today)).toEqual({ support, until })
})

it.each([
  ['WordPress', '6.8'],
  ['TYPO3', null],
  ['TYPO3', 'latest'],
  ['TYPO3', '5'],
  [null, '13.4'],
])('has no support dates for %s %s', (name, version) => {
  expect(frameworkSupport(name, version, today)).toBeNull()
})

it('is ending in its last six months, including the last day', () => {
  const at = (day: string) => frameworkSupport('TYPO3', '13.4', new Date(`${day}T23:00:00Z`))?.support
  expect([at('2027-06-30'), at('2027-07-10'), at('2027-12-31'), at('2028-01-01')]).toEqual([
    'supported',
    'ending',
    'ending',
    'extended',
  ])
})
