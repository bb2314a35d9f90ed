import { afterAll, beforeEach, expect } from 'vitest'
import { type Legacy, LegacyError } from '../src/legacy/index.ts'
import { startLegacyServer } from './legacy-server.ts'

const categories = [{ id: 1, name: 'Hotel' }]

/** A server of the former system that is reset before each test. Call it at the top of a test file. */
export async function openFormerSystem() {
  const server = await startLegacyServer()
  const { state, origin } = server
  const opened: Legacy[] = []
  afterAll(async () => {
    await Promise.all(opened.map((legacy) => legacy.close()))
    await server.stop()
  })
  beforeEach(() => {
    state.responses.clear()
    state.lists = new Map<string, unknown>([
      ['/api/users/current', { id: 1 }],
      ['/api/categories', categories],
    ])
    Object.assign(state, { cookies: [], requests: [], frontendOrigin: '' })
  })
  function open(...options: Parameters<typeof server.open>): Legacy {
    const legacy = server.open(...options)
    opened.push(legacy)
    return legacy
  }
  async function signIn(...options: Parameters<typeof server.open>): Promise<Legacy> {
    const legacy = open(...options)
    await legacy.signIn('a@former.test', 'pass phrase 17')
    state.requests = []
    return legacy
  }
  return { state, origin, categories, open, signIn }
}

/** The failure and message of the error that a call fails with. The message contains no password. */
export async function catchFailure(call: Promise<unknown>) {
  const error = await call.catch((reason: unknown) => reason)
  if (!(error instanceof LegacyError)) throw new Error(`It did not fail as it should: ${error}`)
  expect(error.message).not.toContain('pass phrase 17')
  return [error.failure, error.message]
}
