import type { AttentionEntry } from '@kustos/contract/attention'
import { describe, expect, it, test } from 'vitest'
import { snoozeEnd } from '../../entities/attention/snooze-times.ts'
import { upcomingEnd } from './entry-end.ts'
import { groupEntries, isOutageCut } from './group-entries.ts'
import { isAcknowledged } from './handling-state.ts'
import { refreshDelayMs } from './refresh-delay.ts'

const entry = (id: string, kind: AttentionEntry['kind'], node_id?: number, incident_id = node_id) =>
  ({
    id,
    kind,
    node: node_id === undefined ? null : `n${node_id}`,
    node_outage: node_id === undefined ? null : { node_id, down: 3, monitored: 4, incident_id },
    incident_id: null,
  }) as AttentionEntry

test('entries are grouped by kind and outage in their order', () => {
  const entries = [
    entry('a', 'web_down', 2),
    entry('b', 'web_down', 1),
    entry('c', 'web_down', 2),
    entry('d', 'web_down'),
    entry('e', 'deployment_failed'),
    entry('f', 'web_down', 2, 7),
  ]
  const ids = (list: readonly AttentionEntry[]) => list.map(({ id }) => id).join('')
  expect(
    groupEntries(entries).map(({ kind, outages, entries: others }) => [
      kind,
      outages.map(({ node, entries: webs }) => `${node} ${ids(webs)}`),
      ids(others),
    ]),
  ).toEqual([
    ['web_down', ['n2 ac', 'n1 b', 'n2 f'], 'd'],
    ['deployment_failed', [], 'e'],
  ])
})

test.each([
  // All webs of the outage are listed.
  [3, 5, false],
  // Two of its webs, or other entries, are not.
  [1, 3, true],
  // Nothing is missing: somebody has acknowledged the others.
  [1, 1, false],
])('an outage of 3 webs with %i entries of %i may have more: %s', (listed, total, isExpected) => {
  const entries = Array.from({ length: listed }, (_, index) => entry(`web${index}`, 'web_down', 1))
  for (const group of groupEntries(entries))
    expect(group.outages.map((outage) => isOutageCut(outage, group, total))).toEqual([isExpected])
})

describe('the list is read again', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  it.each([
    [null, false],
    ['2026-11-20T12:01:00Z', 60_500],
    ['2026-11-20T11:59:00Z', 5_000],
    // A browser takes a longer delay than 24.8 days for none.
    ['2026-12-20T12:00:00Z', 24 * 3_600_000],
  ] as const)('for %s after %s', (at, delay) => {
    expect(refreshDelayMs(at, now)).toBe(delay)
  })
})

describe('a snooze ends in Rome time', () => {
  it.each([
    // A Friday.
    ['2026-11-20T15:20:30Z', 'hour', '2026-11-20T17:21'],
    ['2026-11-20T15:20:30Z', 'tomorrow', '2026-11-21T08:00'],
    ['2026-11-20T15:20:30Z', 'monday', '2026-11-23T08:00'],
    ['2026-11-20T15:20:30Z', 'week', '2026-11-27T08:00'],
    // A Monday.
    ['2026-11-23T06:00:00Z', 'monday', '2026-11-30T08:00'],
    // Already the next day in Rome.
    ['2026-11-20T23:30:00Z', 'tomorrow', '2026-11-22T08:00'],
    ['2026-11-22T23:30:00Z', 'monday', '2026-11-30T08:00'],
    // Over the beginning and the end of summer time.
    ['2026-03-28T11:00:00Z', 'tomorrow', '2026-03-29T08:00'],
    ['2026-03-29T00:30:00Z', 'hour', '2026-03-29T03:30'],
    ['2026-10-24T11:00:00Z', 'tomorrow', '2026-10-25T08:00'],
    ['2026-10-24T22:30:00Z', 'week', '2026-11-01T08:00'],
  ] as const)('at %s: %s', (now, preset, end) => {
    expect(snoozeEnd(preset, new Date(now))).toBe(end)
  })
})

test.each<[AttentionEntry['kind'], string | null, boolean]>([
  ['domain_expiring', '2026-12-09T00:00:00Z', true],
  ['external_domain_expiring', '2026-12-09T00:00:00Z', true],
  ['certificate_expiring', '2026-12-09T00:00:00Z', true],
  ['certificate_expiring', '2026-11-14T00:00:00Z', false],
  ['certificate_expiring', null, false],
  ['framework_unsupported', '2026-12-09T00:00:00Z', false],
])('an entry %s until %s shows the time left: %s', (kind, until, expected) => {
  const now = Date.parse('2026-11-27T00:00:00Z')
  expect(upcomingEnd({ kind, until }, now)).toBe(expected ? until : null)
})

test.each([
  ['acknowledged', '2026-11-27T00:00:00Z', null, true],
  ['neither', null, null, false],
  ['snoozed', null, '9999-11-27T00:00:00Z', false],
  ['acknowledged and then snoozed', '2026-11-27T00:00:00Z', '9999-11-27T00:00:00Z', true],
  ['open again after a snooze', '2026-11-27T00:00:00Z', '2026-11-28T00:00:00Z', false],
])('an entry that is %s counts as acknowledged or not', (_, acknowledged_at, snoozed_until, expected) => {
  expect(isAcknowledged({ acknowledged_at, snoozed_until })).toBe(expected)
})
