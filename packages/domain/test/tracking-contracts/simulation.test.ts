import { testDatabase } from '@kustos/database/testing'
import { expect, it } from 'vitest'
import { openRounds } from '../monitoring/rounds.ts'
import { simulateDrift } from './simulate-drift.ts'

const database = await testDatabase()
const { alerts } = await openRounds(database)

/** `bench/drift` does the same with 300 customers over 30 days. */
it('finds every drift of a flaky fleet by the second audit that shows it, and alerts nothing else', async () => {
  const report = await simulateDrift(database, alerts, { customers: 20, drifts: 10, days: 9 })
  expect(report).toMatchObject({
    seeded: 10,
    found: 10,
    wrong: [],
    ended: report.repaired,
    alerts: report.expectedAlerts,
  })
  // The fleet is as flaky as it should be.
  const { failed, partial, remarked, guests, repaired } = report
  expect(Math.min(failed, partial, remarked, guests, repaired)).toBeGreaterThan(0)
  expect(report.mostPerDay).toBe(4)
}, 60_000)
