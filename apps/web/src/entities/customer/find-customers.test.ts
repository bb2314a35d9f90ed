import { expect, it } from 'vitest'
import { codeOf, findCustomers } from './find-customers.ts'

const customers = [
  { code: 'BERGHOF', name: 'Hotel Post' },
  { code: 'BERG', name: null },
  { code: 'POST', name: 'Hotel Post am See' },
  { code: '123456', name: 'Alpen' },
  { code: '654321', name: 'alpen' },
]

it.each([
  ['berg', ['BERG', 'BERGHOF']],
  [' hotel post ', ['BERGHOF', 'POST']],
  ['see', ['POST']],
  ['none', []],
  [' ', []],
])('finds customers by "%s" in their code or name, exact ones first', (text, codes) => {
  expect(findCustomers(customers, text).map(({ code }) => code)).toEqual(codes)
})

it.each([
  ['BERG', 'BERG'],
  ['berg', 'BERG'],
  ['hotel post', 'BERGHOF'],
  ['POST', 'POST'],
  ['Hotel', 'Hotel'],
  // Two customers have this name.
  ['Alpen', 'Alpen'],
  ['NEW', 'NEW'],
])('reads "%s" as the code %s', (text, code) => {
  expect(codeOf(customers, text)).toBe(code)
})
