import { describe, expect, it } from 'vitest'
import { notificationObstacle, rowParams } from '../src/views/index.ts'

const parse = (query: string) =>
  query.split('&').map((part): [string, string] => {
    const [key = '', value = ''] = part.split('=')
    return [key, decodeURIComponent(value)]
  })

describe('views that users can be notified of', () => {
  it.each([
    ['webs', 'q=online', null],
    ['customers', 'q=alpen', null],
    ['monitoring', 'f.state=any-of:down', null],
    ['monitoring', 'q=%20', null],
    ['monitoring', 'q=down', 'search'],
    ['third-parties', 'review=1', null],
    ['third-parties', 'q=meta', 'search'],
    ['incidents', '', 'list'],
    ['queue', '', 'list'],
    ['events', '', 'list'],
    ['logs', '', 'list'],
  ] as const)('%s?%s', (list, query, obstacle) => {
    expect(notificationObstacle(list, parse(query))).toBe(obstacle)
  })
})

describe('the parameters that determine the rows of a view', () => {
  const rows = (query: string) => JSON.stringify(rowParams(parse(query)))

  it('leave out order, page size and columns', () => {
    expect(rows('sort=-id&size=100&sets=node&f.b=equals:1&f.a=empty:')).toBe(rows('f.a=empty:&f.b=equals:1'))
  })
  it('include the columns of a search, which finds only visible ones', () => {
    expect(rows('q=x&sets=node')).not.toBe(rows('q=x&sets=dns'))
  })
  it('keep the order of the conditions of a column', () => {
    expect(rows('f.a=equals:1&f.a=equals:2')).not.toBe(rows('f.a=equals:2&f.a=equals:1'))
  })
})
