import { expect, it } from 'vitest'
import { summarise } from '../src/errors.ts'
import { urlOf } from '../src/route.ts'
import { websRoutes } from '../src/webs/routes.ts'

it('encodes parameters in the path and adds the query', () => {
  expect(urlOf(websRoutes.readWeb, { id: 7 })).toBe('/api/webs/7')
  expect(urlOf(websRoutes.readWeb, { id: '../a b' })).toBe('/api/webs/..%2Fa%20b')
  expect(urlOf(websRoutes.listWebs, {}, { deleted: '1', none: undefined })).toBe('/api/webs?deleted=1')
  expect(() => urlOf(websRoutes.readWeb)).toThrow(/needs id/)
})

it.each([
  [{}, 'The given data was invalid.'],
  [{ a: ['One'] }, 'One'],
  [{ a: ['One'], b: ['Two'] }, 'One (and 1 more error)'],
  [{ a: ['One', 'Two'], b: ['Three'] }, 'One (and 2 more errors)'],
])('summarises the errors %j as %s', (errors, message) => {
  expect(summarise(errors)).toBe(message)
})
