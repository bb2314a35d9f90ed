import type { AlertSeverity } from '@kustos/contract/alert-routes'
import { describe, expect, test } from 'vitest'
import { type Conditions, type RoutedWeb, selectRoutes } from '../../src/alert-routes/matching.ts'

const everything: Conditions = {
  is_active: true,
  customers: [],
  tags: [],
  node_ids: [],
  severities: [],
  weekdays: [],
  from_time: null,
  to_time: null,
}
const web: RoutedWeb = { customer: 'ALPEN', tags: ['contract:gold', 'legal'], node: 7 }
/** A Friday. */
const noon = new Date('2026-11-20T11:00:00Z')

const isTaken = (
  conditions: Partial<Conditions>,
  at = noon,
  severity: AlertSeverity = 'down',
  of: RoutedWeb = web,
) => selectRoutes([{ ...everything, ...conditions, continues: false }], of, severity, at).length === 1

describe('a route', () => {
  test.each<[string, Partial<Conditions>, boolean]>([
    ['without conditions', {}, true],
    ['that is off', { is_active: false }, false],
    ['of the customer', { customers: ['BERG', 'ALPEN'] }, true],
    ['of another customer', { customers: ['BERG'] }, false],
    ['of a tag with its value', { tags: ['contract:gold'] }, true],
    ['of a tag with any value', { tags: ['contract'] }, true],
    ['of a tag with another value', { tags: ['contract:silver'] }, false],
    ['of one of its tags', { tags: ['shop', 'legal'] }, true],
    ['of the node', { node_ids: [7] }, true],
    ['of another node', { node_ids: [8] }, false],
    ['of the severity', { severities: ['flapping', 'down'] }, true],
    ['of another severity', { severities: ['outage'] }, false],
    ['of the customer and another node', { customers: ['ALPEN'], node_ids: [8] }, false],
    ['of the customer and the node', { customers: ['ALPEN'], node_ids: [7] }, true],
  ])('%s: %j is %s', (_, conditions, expected) => expect(isTaken(conditions)).toBe(expected))

  test('of a node does not match a web without one', () =>
    expect(isTaken({ node_ids: [7] }, noon, 'down', { ...web, node: null })).toBe(false))

  const friday = { weekdays: [5] }
  const office = { from_time: '08:00', to_time: '18:00' }
  const night = { from_time: '18:00', to_time: '08:00' }
  test.each<[string, Partial<Conditions>, boolean]>([
    ['2026-11-20T06:59:59Z', office, false],
    ['2026-11-20T07:00:00Z', office, true],
    ['2026-11-20T16:59:59Z', office, true],
    ['2026-11-20T17:00:00Z', office, false],
    ['2026-11-20T17:00:00Z', night, true],
    ['2026-11-21T06:59:00Z', night, true],
    ['2026-11-21T07:00:00Z', night, false],
    // The night from Friday to Saturday.
    ['2026-11-20T17:00:00Z', { ...night, ...friday }, true],
    ['2026-11-20T23:30:00Z', { ...night, ...friday }, true],
    ['2026-11-21T06:59:00Z', { ...night, ...friday }, true],
    ['2026-11-20T06:00:00Z', { ...night, ...friday }, false],
    ['2026-11-21T17:00:00Z', { ...night, ...friday }, false],
    ['2026-11-19T22:59:59Z', friday, false],
    ['2026-11-19T23:00:00Z', friday, true],
    // 01:59:59 and 03:00 of the night in which the clocks go forward.
    ['2026-03-29T00:59:59Z', { from_time: '02:00', to_time: '04:00' }, false],
    ['2026-03-29T01:00:00Z', { from_time: '02:00', to_time: '04:00' }, true],
    ['2026-03-29T01:59:59Z', { from_time: '02:00', to_time: '04:00' }, true],
    ['2026-03-29T02:00:00Z', { from_time: '02:00', to_time: '04:00' }, false],
    // Half past two, twice.
    ['2026-10-25T00:30:00Z', { from_time: '02:00', to_time: '03:00' }, true],
    ['2026-10-25T01:30:00Z', { from_time: '02:00', to_time: '03:00' }, true],
    ['2026-10-25T02:00:00Z', { from_time: '02:00', to_time: '03:00' }, false],
  ])('at %s of %j is %s', (at, conditions, expected) =>
    expect(isTaken(conditions, new Date(at))).toBe(expected),
  )
})

test('ends the evaluation unless it continues, in their order', () => {
  const routes = [
    { ...everything, id: 1, customers: ['BERG'], continues: false },
    { ...everything, id: 2, continues: true },
    { ...everything, id: 3, customers: ['ALPEN'], continues: false },
    { ...everything, id: 4, continues: false },
  ]
  const taken = (one: RoutedWeb) => selectRoutes(routes, one, 'down', noon).map(({ id }) => id)
  expect(taken(web)).toEqual([2, 3])
  expect(taken({ ...web, customer: 'BERG' })).toEqual([1])
  expect(taken({ ...web, customer: 'TAL' })).toEqual([2, 4])
})
