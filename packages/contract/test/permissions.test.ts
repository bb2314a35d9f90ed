import { describe, expect, it } from 'vitest'
import { type Access, anyOf, can, permissions } from '../src/permissions.ts'

const user = (...held: string[]) => ({ roles: [{ name: 'hosting' }], permissions: held })
const admin = { roles: [{ name: 'admin' }], permissions: [] }
const both: Access = { all: ['create webs', 'view bitbucket'] }
const either: Access = { any: ['create webs', 'view bitbucket'] }

describe('can', () => {
  it.each([
    ['a visitor', null, 'public', true],
    ['a visitor', null, 'signed-in', false],
    ['a visitor', null, { any: [] }, false],
    ['a user without permissions', user(), 'signed-in', true],
    ['a user without permissions', user(), { any: [] }, true],
    ['a user without permissions', user(), { all: [] }, true],
    ['a user without permissions', user(), either, false],
    ['a user with one of them', user('view bitbucket'), either, true],
    ['a user with one of them', user('view bitbucket'), both, false],
    ['a user with both', user('view bitbucket', 'create webs'), both, true],
    ['a user with others', user('view webs', 'view logs'), both, false],
    ['an admin', admin, both, true],
    ['an admin', admin, either, true],
  ] as const)('%s %j satisfies %j: %s', (_, holder, access, allowed) => {
    expect(can(holder, access)).toBe(allowed)
  })
})

const specified = [
  ...['view webs', 'create webs', 'edit webs', 'delete webs', 'restore webs', 'view bitbucket'],
  ...['view external domains', 'create external domains', 'edit external domains'],
  ...['delete external domains', 'view limitis domains', 'view limitis email'],
  ...['view monitoring web statistic', 'view queue', 'view logs', 'view admin panel'],
]
const added = [
  ...['manage nodes', 'view customers', 'edit customers', 'edit tags', 'edit tracking policy'],
  ...['plan maintenance', 'edit alert channels'],
]

it('defines the sixteen permissions of the specification, and those that were added', () => {
  expect(specified).toHaveLength(16)
  expect([...permissions].sort()).toEqual([...specified, ...added].sort())
})

describe('anyOf', () => {
  it('is for those who may do one of several things', () => {
    const access = anyOf([both, { any: ['edit webs', 'view logs'] }, { any: ['edit webs'] }, 'signed-in'])
    expect(access).toEqual({ any: ['create webs', 'edit webs', 'view logs'] })
  })
})
