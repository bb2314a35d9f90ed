import { expect, test } from 'vitest'
import { firstSteps } from './first-steps.ts'

const staff = (...subscriptions: boolean[]) =>
  subscriptions.map((subscribed) => ({ deleted_at: null, monitoring_mail_subscription: subscribed }))
const gone = { deleted_at: '2026-11-24T00:00:00.000Z', monitoring_mail_subscription: true }
const summary = (...state: Parameters<typeof firstSteps>) =>
  Object.entries(firstSteps(...state) ?? {}).map(
    ([name, { isDone, path }]) => `${isDone ? '✓' : '–'} ${name} ${path}`,
  )

test('an empty console has every step left', () => {
  expect(summary([], 0, [...staff(false), gone])).toEqual([
    '– node /nodes',
    '– webs /hosting/add',
    '– alerts /settings',
    '– colleague /admin/user-management/add',
  ])
})

test('with a node, its webs are taken over', () => {
  expect(summary([{ id: 7 }, { id: 8 }], 0, staff(true))).toEqual([
    '✓ node /nodes',
    '– webs /nodes/7/discovery',
    '✓ alerts /settings',
    '– colleague /admin/user-management/add',
  ])
})

test('the steps end with a node, a web and a colleague', () => {
  expect(firstSteps([{ id: 7 }], 1, staff(false))).not.toBeNull()
  expect(firstSteps([{ id: 7 }], 1, staff(false, false))).toBeNull()
})
