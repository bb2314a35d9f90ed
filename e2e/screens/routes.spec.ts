import { entries, isGroup, type Screen } from '../../apps/web/src/app/screens.ts'
import { expect, test } from '../harness/test.ts'
import { screens } from './table.ts'

const routed: readonly Screen[] = entries.flatMap((entry) => (isGroup(entry) ? entry.children : [entry]))

test('every screen of the router is walked through, at an address of its own route', () => {
  expect(Object.keys(screens).toSorted()).toEqual(routed.map(({ name }) => name).toSorted())
  for (const { name, path } of routed) {
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
    expect(screens[name].path, name).toMatch(pattern)
  }
})
