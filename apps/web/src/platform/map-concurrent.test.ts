import { expect, it } from 'vitest'
import { mapConcurrent } from './map-concurrent.ts'

it('continues after a failure, a few at a time, and reports each result', async () => {
  let running = 0
  let mostRunning = 0
  const progress: number[] = []
  const failed = await mapConcurrent(
    Array.from({ length: 20 }, (_, index) => index),
    async (index) => {
      mostRunning = Math.max(mostRunning, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1 + (index % 3)))
      running--
      if (index % 7 === 3) throw new Error(`no ${index}`)
    },
    (done) => progress.push(done),
  )
  expect(mostRunning).toBe(4)
  expect(progress).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  expect(failed.map(({ item }) => item)).toEqual([3, 10, 17])
  expect(failed.map(({ error }) => String(error))).toEqual(['Error: no 3', 'Error: no 10', 'Error: no 17'])
})
