import type { LogLine } from '@kustos/contract/deployment'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { logText, openLog } from './log.ts'

const line = (number: number): LogLine => ({
  number,
  step: 0,
  at: '2026-11-20T12:00:00.000Z',
  source: 'out',
  text: `line ${number}`,
})
const pageSize = 5

/** A server with a growing log and slow responses. */
function server() {
  let last = 0
  let isDown = false
  const requests: number[] = []
  return {
    requests,
    write: (count: number) => {
      last += count
    },
    setDown: (down: boolean) => {
      isDown = down
    },
    read: async (after: number) => {
      requests.push(after)
      await new Promise((resolve) => setTimeout(resolve, 20))
      if (isDown) throw new Error('down')
      return Array.from({ length: Math.min(pageSize, last - after) }, (_, index) => line(after + index + 1))
    },
  }
}

const numbers = (lines: readonly LogLine[]) => lines.map(({ number }) => number)
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a growing log', () => {
  it('contains every line once, in any order of arrival', async () => {
    const { read, write } = server()
    const log = openLog(read, pageSize)
    for (let round = 0; round < 40; round++) {
      write(round % 4)
      log.update()
      if (round % 3 === 0) log.update()
      await vi.advanceTimersByTimeAsync(round % 7 === 0 ? 400 : 13)
    }
    await vi.advanceTimersByTimeAsync(2000)
    expect(numbers(log.state().lines)).toEqual(upTo(60))
    log.close()
  })

  it('fetches pages until it is complete', async () => {
    const { read, write, requests } = server()
    write(12)
    const log = openLog(read, pageSize)
    log.update()
    await vi.advanceTimersByTimeAsync(100)
    expect(requests).toEqual([0, 5, 10])
    expect(numbers(log.state().lines)).toEqual(upTo(12))
    log.close()
  })

  it('limits its rate however often it is notified', async () => {
    const { read, write, requests } = server()
    const log = openLog(read, pageSize)
    for (let times = 0; times < 100; times++) {
      write(1)
      log.update()
      await vi.advanceTimersByTimeAsync(10)
    }
    await vi.advanceTimersByTimeAsync(1000)
    expect(log.state().lines).toHaveLength(100)
    // Pages of 5 and a last request for each, instead of one request per line.
    expect(requests.length).toBeLessThan(30)
    log.close()
  })

  it('keeps its lines while the server is down, and resumes', async () => {
    const { read, write, setDown } = server()
    write(3)
    const log = openLog(read, pageSize)
    log.update()
    await vi.advanceTimersByTimeAsync(500)
    setDown(true)
    write(1)
    log.update()
    await vi.advanceTimersByTimeAsync(500)
    expect(log.state().error).toBeInstanceOf(Error)
    expect(numbers(log.state().lines)).toEqual(upTo(3))
    setDown(false)
    await vi.advanceTimersByTimeAsync(4000)
    expect(log.state().error).toBeUndefined()
    expect(numbers(log.state().lines)).toEqual(upTo(4))
    log.close()
  })

  it('fetches nothing after it is closed', async () => {
    const { read, write, requests } = server()
    const log = openLog(read, pageSize)
    log.update()
    await vi.advanceTimersByTimeAsync(500)
    log.close()
    write(1)
    log.update()
    await vi.advanceTimersByTimeAsync(5000)
    expect(requests).toHaveLength(1)
    expect(log.state().isLoaded).toBe(true)
  })
})

it('names the stream of each line as text', () => {
  expect(logText([line(1), { ...line(2), source: 'err' }, { ...line(12_345), source: 'note' }])).toBe(
    [
      '0001 2026/11/20 13:00:00 line 1',
      '0002 2026/11/20 13:00:00 err: line 2',
      '12345 2026/11/20 13:00:00 note: line 12345',
      '',
    ].join('\n'),
  )
})
