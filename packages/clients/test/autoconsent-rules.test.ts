import { describe, expect, test } from 'vitest'
import { adjustSteps, managerOf, readAutoconsent, selectRules } from '../src/browser/autoconsent-rules.ts'

const never = { exists: ':not(*)' }

describe("autoconsent's steps", () => {
  test('that only hide a banner do not refuse', () => {
    expect(adjustSteps([{ hide: '#banner' }])).toEqual([never])
    expect(adjustSteps([{ if: { exists: '.no' }, else: [{ hide: '#banner' }] }])).toEqual([
      { if: { exists: '.no' }, else: [never] },
    ])
    expect(adjustSteps([{ hide: '#banner' }, { click: '.no' }])).toEqual([{ click: '.no' }])
  })

  test('that are missing fail', () => expect(adjustSteps([])).toEqual([never]))

  test('wait for a short time', () => {
    expect(
      adjustSteps([{ waitForThenClick: '.no' }, { waitFor: '.no', timeout: 700 }, { wait: 500 }]),
    ).toEqual([{ waitForThenClick: '.no', timeout: 2_500 }, { waitFor: '.no', timeout: 700 }, { wait: 500 }])
  })
})

describe("autoconsent's rules", () => {
  test('are those of the package, with its script', async () => {
    const { script, rules } = await readAutoconsent()
    expect(script).toContain('autoconsentReceiveMessage')
    expect(rules.length).toBeGreaterThan(700)
  })

  test('are selected by the document', async () => {
    const { rules } = await readAutoconsent()
    const names = (url: string, isTop: boolean) => selectRules(rules, { url, isTop }).map(({ name }) => name)
    const top = names('https://hotel.test/', true)
    expect(top).toEqual(expect.arrayContaining(['didomi', 'usercentrics-api', 'cookieyes']))
    expect(top.length).toBeLessThan(rules.length / 2)
    expect(top).not.toContain('ebay')
    expect(names('https://www.ebay.de/', true)).toContain('ebay')
    expect(names('https://hotel.test/', false)).not.toContain('didomi')
  })
})

test.each([
  ['Cybotcookiebot', 'Cookiebot'],
  ['Complianz banner', 'Complianz'],
  ['Termly', 'Termly'],
  ['sibbo', 'sibbo'],
  ['auto_DE_hotel.test_x1', null],
])('the rule %s belongs to %s', (rule, manager) => expect(managerOf(rule)).toBe(manager))
