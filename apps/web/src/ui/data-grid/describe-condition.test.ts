import type { Column } from '@kustos/contract/grid'
import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import * as de from '../../platform/messages/de/index.ts'
import * as en from '../../platform/messages/en/index.ts'
import { describeCondition } from './describe-condition.ts'

beforeAll(async () => {
  await i18next.init({ resources: { en: { translation: en }, de: { translation: de } } })
})

const column: Column<{ node: string }> = {
  key: 'node',
  kind: 'select',
  width: 100,
  value: ({ node }) => node,
  label: 'Node',
}

it.each([
  ['any-of', ['n1', 'n2'], 'Node: n1, n2', 'Node: n1, n2'],
  ['none-of', ['n1'], 'Node none of n1', 'Node keines von n1'],
] as const)('describes %s %j as "%s" in English and "%s" in German', (operator, values, english, german) => {
  const condition = { operator, values }
  expect(describeCondition(i18next.getFixedT('en'), column, condition)).toBe(english)
  expect(describeCondition(i18next.getFixedT('de'), column, condition)).toBe(german)
})
