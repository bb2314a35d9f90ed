import { describe } from 'vitest'
import { openHandOver, testEndings, testFollowing } from '../hand-over-tests.ts'

const handOver = await openHandOver()

describe('a deployment whose worker gets SIGTERM', () => testEndings(handOver, 'SIGTERM'))

describe('a deployment whose worker gets SIGKILL', () => {
  testFollowing(handOver, 'SIGKILL')
  testEndings(handOver, 'SIGKILL')
})
