import { describe, expect, it } from 'vitest'
import { changesIn, formatValueLines, type ValueLabels } from './format-value.ts'

const words: ValueLabels = {
  yes: 'yes',
  no: 'no',
  none: '–',
  bytes: (bytes) => `${bytes / 1024 ** 3} GiB`,
  labelOf: (field) => (field === 'hosts' ? 'Hosts' : field),
  nameOf: (field, value) => (field === 'status' && value === 16 ? 'inactive' : undefined),
}

describe('a logged value', () => {
  it.each<[string, string, unknown, string[]]>([
    ['a text', 'customer', 'ALPEN', ['ALPEN']],
    ['nothing', 'customer', null, ['–']],
    ['an empty list', 'categories', [], ['–']],
    ['a flag', 'monitoring_web_active', false, ['no']],
    ['a number', 'sysuser', 7, ['7']],
    ['a code with a name', 'status', 16, ['inactive']],
    ['a code without one', 'status', 3, ['3']],
    ['bytes', 'disk_usage', 1.5 * 1024 ** 3, ['1.5 GiB']],
    ['a time', 'cert_expiration', '2026-07-01T10:00:00.000Z', ['2026/07/01 12:00:00']],
    ['a day', 'from', '2026-07-01', ['2026-07-01']],
    ['texts', 'channels', ['slack', 'mail'], ['slack, mail']],
    [
      'categories',
      'categories',
      [
        { id: 1, name: 'Shop' },
        { id: 2, name: 'TYPO3' },
      ],
      ['Shop, TYPO3'],
    ],
    ['sites', 'sites', [{ fqdn: 'a.test' }, { fqdn: 'b.test' }], ['a.test, b.test']],
    ['an object of nothing', 'metadata', { topics: [], more: { one: null } }, ['–']],
    ['an object', 'gtm', { id: 'GTM-1', domain: 'a.test', src: null }, ['id: GTM-1, domain: a.test']],
    [
      'a list of objects',
      'found',
      [
        { id: 'GTM-1', seen: '2026-07-01T10:00:00Z' },
        { id: 'GTM-2', hosts: ['a', 'b'] },
      ],
      ['id: GTM-1, seen: 2026/07/01 12:00:00', 'id: GTM-2, Hosts: (a, b)'],
    ],
    ['lines', 'comment', 'one\ntwo', ['one', 'two']],
  ])('is formatted for staff: %s', (_, field, value, lines) => {
    expect(formatValueLines(field, value, words)).toEqual(lines)
  })
})

it('shows old and new values and leaves out fields that are empty in both', () => {
  const properties = {
    old: { customer: 'A', node: null, comment: '' },
    attributes: { customer: 'B', node: 'n1', comment: null, sites: [] },
  }
  expect(changesIn({ properties })).toEqual([
    { field: 'customer', oldValue: 'A', newValue: 'B' },
    { field: 'node', oldValue: null, newValue: 'n1' },
  ])
  expect(changesIn({ properties: {} })).toEqual([])
})
