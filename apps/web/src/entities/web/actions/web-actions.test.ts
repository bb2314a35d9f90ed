import { nodeActionNames } from '@kustos/contract/deployment'
import { describe, expect, it, vi } from 'vitest'
import * as de from '../../../platform/messages/de/index.ts'
import * as en from '../../../platform/messages/en/index.ts'

// The client adds an event listener when it is imported.
vi.stubGlobal('addEventListener', vi.fn())
const { appliesTo, mostUsedFirst, webActionNames, webActionOf } = await import('./web-actions.ts')

/** The keys of the texts that an action's definition requires. */
function getRequiredTexts(name: (typeof webActionNames)[number]): readonly string[] {
  const action = webActionOf(name)
  if (!('request' in action)) return ['label']
  return [
    'label',
    'done',
    ...(action.confirms && action.question === undefined ? ['question'] : []),
    ...(action.batch ? ['many.question_one', 'many.question_other'] : []),
  ]
}

const pathsIn = (texts: object, prefix = ''): readonly string[] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'object' ? pathsIn(text, `${prefix}${key}.`) : [`${prefix}${key}`],
  )

describe.each(Object.entries({ en, de }))('the catalogue %s', (_, { actions }) => {
  it.each(webActionNames)('has all texts of %s', (name) => {
    expect(pathsIn(actions[name] ?? {})).toEqual(expect.arrayContaining([...getRequiredTexts(name)]))
  })

  it.each(webActionNames)('has texts for many webs exactly if %s is a batch', (name) => {
    const action = webActionOf(name)
    expect('many' in actions[name]).toBe('request' in action && action.batch !== undefined)
  })
})

it('has a place for each action on the page and in the palette', () => {
  expect(mostUsedFirst.toSorted()).toEqual(webActionNames.toSorted())
})

it.each(nodeActionNames)('offers %s in lists, on the page and in the palette', (name) => {
  expect(webActionOf(name).places).toEqual(expect.arrayContaining(['list', 'page', 'palette']))
})

it('offers only restoring and copying for deleted webs', () => {
  const web = { id: 1, fqdn: 'a.test', node: null, deleted_at: '2026-11-20T12:00:00Z' }
  expect(webActionNames.filter((name) => appliesTo(webActionOf(name), web, new Set()))).toEqual([
    'copy',
    'restore',
  ])
})

it('offers to end the maintenance of webs that are in maintenance', () => {
  const isOffered = (...inMaintenance: number[]) =>
    appliesTo(
      webActionOf('endMaintenance'),
      { id: 1, fqdn: 'a.test', node: 'n1', deleted_at: null },
      new Set(inMaintenance),
    )
  expect(isOffered()).toBe(false)
  expect(isOffered(2)).toBe(false)
  expect(isOffered(1, 2)).toBe(true)
})
