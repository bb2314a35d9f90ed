import { expect, it } from 'vitest'
import { countFrameworks } from './count-frameworks.ts'

it('counts frameworks by major version, whatever the case, and leaves out webs without one', () => {
  const web = (framework_name: string | null, framework_version: string | null) => ({
    framework_name,
    framework_version,
  })
  expect(
    countFrameworks([
      web('WordPress', '6.8.2'),
      web('TYPO3', '13.4.20'),
      web('typo3', 'v13.4.1'),
      web('TYPO3', '08.7.32'),
      web('Contao', null),
      web(null, null),
    ]),
  ).toEqual([
    { name: 'TYPO3', version: '13', count: 2 },
    { name: 'Contao', version: null, count: 1 },
    { name: 'TYPO3', version: '8', count: 1 },
    { name: 'WordPress', version: '6', count: 1 },
  ])
})
