import { expect, test } from 'vitest'
import { customerContractChange } from '../src/tracking-contracts/input.ts'
import { listUnreadableFields, noContractSettings } from '../src/tracking-contracts/states.ts'

test.each<[tool: string | null, id: string, version: string, fields: readonly string[]]>([
  ['Usercentrics', 'abc', '3', []],
  ['cookiebot', 'abc', '', []],
  ['Cookiebot', 'abc', '2', ['consent_tool_version']],
  ['Klaro', 'abc', '2', ['consent_tool_id']],
  ['Borlabs Cookie', 'abc', '2', ['consent_tool_id', 'consent_tool_version']],
  ['Klaro', '', '', []],
  ['', 'abc', '2', []],
  [null, 'abc', '2', []],
])('of %s with the id “%s” and the version “%s”, audits cannot compare %j', (tool, id, version, fields) => {
  const settings = {
    ...noContractSettings,
    consent_tool: tool,
    consent_tool_id: id,
    consent_tool_version: version,
  }
  expect(listUnreadableFields(settings)).toEqual(fields)
})

test('refuses a web that is given twice, since only one of both would count', () => {
  const overrides = [{ web_id: 13, consent_tool: 'Cookiebot' }, { web_id: 13 }, { web_id: 14 }]
  const { error } = customerContractChange.safeParse({ overrides })
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
    [['overrides'], expect.stringContaining('web_twice')],
  ])
  expect(customerContractChange.safeParse({ overrides: overrides.slice(1) }).success).toBe(true)
})
