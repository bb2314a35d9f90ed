import { emptyWebForm, newWeb, type WebForm, webFormToWire } from '@kustos/contract/webs'
import { describe, expect, it } from 'vitest'
import { errorsIn, isRequired } from './rules.ts'

const check = (form: WebForm) => errorsIn(newWeb, webFormToWire(form))
const filled = { ...emptyWebForm, fqdn: 'bäckerei.test', customer: 'ALPEN', configured_ip: '192.0.2.1' }

describe('errorsIn', () => {
  it('finds nothing wrong with a form that the route takes', () => {
    expect(check(filled)).toEqual({})
  })
  it("gives the schema's sentence under the form's field", () => {
    expect(check(emptyWebForm)).toEqual({
      fqdn: 'FQDN is required',
      customer: 'Customer is required',
      configured_ip: 'Configured IP is required',
    })
  })
  it('brings what is wrong with an entry of a list to the field of the list', () => {
    expect(check({ ...filled, auftragnr_hosting: `12, ${'9'.repeat(65)}` })).toEqual({
      auftragnr_hosting: "Can't be longer than 64 characters",
    })
  })
})

describe('isRequired', () => {
  it.each([
    ['fqdn', true],
    ['customer', true],
    ['configured_ip', true],
    ['comment', false],
    ['categories', false],
    ['unheard_of', false],
  ])('%s: %s', (field, required) => {
    expect(isRequired(newWeb, field)).toBe(required)
  })
})
