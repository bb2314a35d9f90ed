import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { buildForMeasuring, firstScreens } from '../first-load.ts'

let measure: Awaited<ReturnType<typeof buildForMeasuring>>

beforeAll(async () => {
  vi.stubEnv('NODE_ENV', 'production')
  measure = await buildForMeasuring()
}, 120_000)
afterAll(() => {
  vi.unstubAllEnvs()
})

it('loads at most 150 kB of scripts for the login screen', () => {
  expect(measure(firstScreens.login).scriptBytes).toBeLessThanOrEqual(150_000)
})

it('loads at most 300 kB of scripts and texts for the first visit of the web list', () => {
  expect(measure(firstScreens.webList).scriptBytes).toBeLessThanOrEqual(300_000)
})
