import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openEventStream, type Source } from './event-source.ts'

class FakeSource implements Source {
  readyState = 0
  readonly #listeners = new Map<string, (event: { data?: unknown }) => void>()
  addEventListener(type: string, listener: (event: { data?: unknown }) => void) {
    this.#listeners.set(type, listener)
  }
  tell(type: string, data?: unknown) {
    this.#listeners.get(type)?.({ data })
  }
  close() {
    this.readyState = 2
  }
}

function setUp() {
  const sources: FakeSource[] = []
  /** What was told, in its order. */
  const told: unknown[] = []
  const end = openEventStream({
    connect: () => {
      const source = new FakeSource()
      sources.push(source)
      return source
    },
    onChanged: (change) => told.push(change),
    onOpen: () => told.push('open'),
    onBroken: () => told.push('broken'),
  })
  return { sources, told, end }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('openEventStream', () => {
  it('passes on valid events and ignores others', () => {
    const { sources, told } = setUp()
    sources[0]?.tell('changed', '{"list":"deployments","id":7}')
    sources[0]?.tell('changed', '{"list":"of another version"}')
    sources[0]?.tell('changed', 'no JSON')
    expect(told).toEqual([{ list: 'deployments', id: 7 }])
  })

  it('reports every opening', () => {
    const { sources, told } = setUp()
    sources[0]?.tell('open')
    // A break: the browser itself connects anew.
    sources[0]?.tell('error')
    sources[0]?.tell('open')
    expect(told).toEqual(['open', 'broken', 'open'])
    expect(sources).toHaveLength(1)
  })

  it('reports a broken stream once and every failed response', () => {
    const { sources, told } = setUp()
    sources[0]?.tell('open')
    sources[0]?.tell('error')
    // The browser tries by itself, and fails.
    sources[0]?.tell('error')
    expect(told).toEqual(['open', 'broken'])
    sources[0]?.close()
    sources[0]?.tell('error')
    expect(told).toEqual(['open', 'broken', 'broken'])
  })

  it('retries failed responses with backoff', async () => {
    const { sources, end } = setUp()
    const refuse = () => {
      const last = sources.at(-1)
      last?.close()
      last?.tell('error')
    }
    refuse()
    await vi.advanceTimersByTimeAsync(1250)
    expect(sources).toHaveLength(2)
    refuse()
    await vi.advanceTimersByTimeAsync(1250)
    expect(sources).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1250)
    expect(sources).toHaveLength(3)
    refuse()
    end()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sources).toHaveLength(3)
  })
})
