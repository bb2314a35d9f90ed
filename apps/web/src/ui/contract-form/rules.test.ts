import { issue } from '@kustos/contract/messages'
import { emptyWebForm, newWeb, type WebForm, webFormToWire } from '@kustos/contract/webs'
import { describe, expect, it } from 'vitest'
import { errorsIn, isRequired } from './rules.ts'

const check = (form: WebForm) => errorsIn(newWeb, webFormToWire(form))
const filled = { ...emptyWebForm, fqdn: 'bäckerei.test', customer: 'ALPEN', configured_ip: '192.0.2.1' }

describe('errorsIn', () => {
  it('finds no error in a form that the route accepts', () => {
    expect(check(filled)).toEqual({})
  })
  it("shows the schema's message at the form's field", () => {
    expect(check(emptyWebForm)).toEqual({
      fqdn: issue('fqdn_required'),
      customer: issue('customer_required'),
      configured_ip: issue('ip_required'),
    })
  })
  it('shows errors of list entries at the list', () => {
    expect(check({ ...filled, auftragnr_hosting: `12, ${'9'.repeat(65)}` })).toEqual({
      auftragnr_hosting: issue('too_long', { max: 64 }),
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
