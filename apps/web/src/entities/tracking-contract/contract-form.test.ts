import { expect, it } from 'vitest'
import { toSubjects } from './contract-form.ts'

const known = [
  { subject: 'xn--mller-kva.test', text: 'müller.test' },
  { subject: 'googleanalytics', text: 'Google Analytics' },
]

it.each([
  ['Google Analytics', ['googleanalytics']],
  [' google analytics', ['googleanalytics']],
  ['googleanalytics', ['googleanalytics']],
  ['müller.test', ['xn--mller-kva.test']],
  ['static.hotjar.com', ['static.hotjar.com']],
  ['a.test  *.b.test', ['a.test', '*.b.test']],
  // The form says that these are no hosts.
  ['Hotjar', ['Hotjar']],
  ['Hotjar Surveys', ['Hotjar Surveys']],
])('%s stands for %j', (text, subjects) => expect(toSubjects([text], known)).toEqual(subjects))

it('has each topic and host once', () => {
  expect(toSubjects(['Google Analytics', 'googleanalytics', 'a.test'], known)).toEqual([
    'googleanalytics',
    'a.test',
  ])
})
