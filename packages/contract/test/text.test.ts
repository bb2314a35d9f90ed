import { describe, expect, it } from 'vitest'
import { newCustomer, newCustomerCode } from '../src/customers/index.ts'
import { postMortem } from '../src/incidents/index.ts'
import { newUser } from '../src/users/index.ts'
import { newWeb } from '../src/webs/web.ts'

describe('what users write', () => {
  const composed = 'Müller'
  const decomposed = composed.normalize('NFD')

  it('has composed letters', () => {
    expect(newUser.shape.name.parse(decomposed)).toBe(composed)
    expect(newCustomer.shape.notes.parse(decomposed)).toBe(composed)
    expect(newWeb.shape.comment.parse(decomposed)).toBe(composed)
  })

  it('keeps the code of a customer as it was stored', () => {
    expect(newWeb.shape.customer.parse(decomposed)).toBe(decomposed)
    expect(newCustomerCode.parse(decomposed)).toBe(composed)
  })

  it('takes no time for letters with any number of marks', () => {
    const marked = (count: number) => `a${'\u0301'.repeat(count / 2)}${'\u0323'.repeat(count / 2)}`
    const startedAt = Date.now()
    expect(newCustomerCode.safeParse(marked(80_000)).success).toBe(false)
    expect(postMortem.safeParse({ text: marked(49_000) }).success).toBe(true)
    expect(Date.now() - startedAt).toBeLessThan(1_000)
  })
})
