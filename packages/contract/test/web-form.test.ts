import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTestWeb } from '../src/testing.ts'
import { emptyWebForm, type WebForm, webFormToWire, webToForm } from '../src/webs/form.ts'
import { reportingChannels } from '../src/webs/states.ts'
import { newWeb, web, webChange } from '../src/webs/web.ts'

const order = fc.stringMatching(/^[A-Z0-9-]{1,12}$/)
/** Fields that take only certain values. */
const constrained = {
  fqdn: fc.domain().map((domain) => domain.toLowerCase()),
  customer: fc.stringMatching(/^[A-Z]{1,20}$/),
  node: fc.option(fc.constantFrom('node1', 'node2')),
  configured_ip: fc.ipV4(),
  tags: fc
    .uniqueArray(fc.constantFrom('legal', 'contract', 'review'))
    .map((names): readonly string[] =>
      names.map((name) => (name === 'legal' ? name : `${name}:gold`)).sort(),
    ),
  categories: fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { maxLength: 5 }),
  domain_state: fc.constantFrom(1, 2, 3, null),
  monitoring_web_reporting_channel: fc.subarray([...reportingChannels]),
  monitoring_web_active: fc.boolean(),
  auftragnr_hosting: fc.array(order, { maxLength: 4 }).map((orders) => orders.join(', ')),
}
const texts = Object.keys(emptyWebForm)
  .filter((name) => !(name in constrained))
  .map((name) => [name, fc.constantFrom('', 'TYPO3', '13.4')] as const)
const form = fc.record({ ...Object.fromEntries(texts), ...constrained }) as fc.Arbitrary<WebForm>

const blank = createTestWeb({ fqdn: 'a.example', customer: 'A', configured_ip: '192.0.2.1' })

describe('the form of a web', () => {
  it('survives a round trip over the wire', () => {
    fc.assert(
      fc.property(form, (filled) => {
        const { categories = [], updated_at: _, ...wire } = webChange.parse(webFormToWire(filled))
        const stored = {
          ...blank,
          ...wire,
          categories: categories.map((id) => ({ id, name: `category ${id}` })),
        }
        expect(webToForm(web.parse(stored))).toEqual(filled)
      }),
    )
  })

  it.each([
    ['', []],
    [' ', []],
    ['4711', ['4711']],
    [' 4711 ,, 4712,', ['4711', '4712']],
  ])('sends the orders %j as %j', (auftragnr_hosting, sent) => {
    expect(webFormToWire({ ...webToForm(blank), auftragnr_hosting }).auftragnr_hosting).toEqual(sent)
  })

  it('leaves out values it does not know', () => {
    const stored = { ...blank, domain_state: 9, monitoring_web_reporting_channel: 'pager,mail' }
    expect(webToForm(stored)).toMatchObject({
      domain_state: null,
      monitoring_web_reporting_channel: ['mail'],
    })
  })
})

describe('the payload of a web', () => {
  it('ignores unknown fields', () => {
    const parsed = newWeb.parse({
      fqdn: 'a.example',
      customer: 'A',
      configured_ip: '::1',
      id: 7,
      deleted_at: null,
    })
    expect(parsed).toEqual({ fqdn: 'a.example', customer: 'A', configured_ip: '::1' })
  })

  it.each(['mail,slack', ' slack , mail', 'mail,slack,mail'])('orders the channels %j', (channels) => {
    const parsed = webChange.parse({
      fqdn: 'a.example',
      customer: 'A',
      configured_ip: '192.0.2.1',
      monitoring_web_reporting_channel: channels,
    })
    expect(parsed.monitoring_web_reporting_channel).toBe('slack,mail')
  })
})
