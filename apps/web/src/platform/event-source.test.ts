import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openEventStream, type Source } from './event-source.ts'

class FakeSource implements Source {
  readyState = 0
  readonly #listeners = new Map<string, (event: { data?: unknown }) => void>()
  addEventListener(type: string, listener: (event: { data?: unknown }) => void) {
    this.#listeners.set(type, listener)
  }
  emit(type: string, data?: unknown) {
    this.#listeners.get(type)?.({ data })
  }
  close() {
    this.readyState = 2
  }
}

function setUp() {
  const sources: FakeSource[] = []
  const events: unknown[] = []
  const close = openEventStream({
    connect: () => {
      const source = new FakeSource()
      sources.push(source)
      return source
    },
    onChanged: (change) => events.push(change),
    onOpen: () => events.push('open'),
    onBroken: () => events.push('broken'),
  })
  return { sources, events, close }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('openEventStream', () => {
  it('passes on valid events and ignores others', () => {
    const { sources, events } = setUp()
    sources[0]?.emit('changed', '{"list":"deployments","id":7}')
    sources[0]?.emit('changed', '{"list":"unknown-list"}')
    sources[0]?.emit('changed', 'no JSON')
    expect(events).toEqual([{ list: 'deployments', id: 7 }])
  })

  it('reports every opening', () => {
    const { sources, events } = setUp()
    sources[0]?.emit('open')
    // The browser reconnects by itself.
    sources[0]?.emit('error')
    sources[0]?.emit('open')
    expect(events).toEqual(['open', 'broken', 'open'])
    expect(sources).toHaveLength(1)
  })

  it('reports a broken stream once and every failed response', () => {
    const { sources, events } = setUp()
    sources[0]?.emit('open')
    sources[0]?.emit('error')
    // The browser tries by itself, and fails.
    sources[0]?.emit('error')
    expect(events).toEqual(['open', 'broken'])
    sources[0]?.close()
    sources[0]?.emit('error')
    expect(events).toEqual(['open', 'broken', 'broken'])
  })

  it('retries failed responses with backoff', async () => {
    const { sources, close } = setUp()
    const refuse = () => {
      const last = sources.at(-1)
      last?.close()
      last?.emit('error')
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
    close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sources).toHaveLength(3)
  })
})
