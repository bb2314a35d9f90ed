import { afterAll, beforeEach, expect } from 'vitest'
import { type Legacy, LegacyError } from '../src/legacy/index.ts'
import { startLegacyServer } from './legacy-server.ts'

const categories = [{ id: 1, name: 'Hotel' }]

/** A new instance of the former system for each test of a file, and logins to it. To be called at the top of the file. */
export async function openFormerSystem() {
  const server = await startLegacyServer()
  const { state, origin } = server
  const opened: Legacy[] = []
  afterAll(async () => {
    await Promise.all(opened.map((legacy) => legacy.close()))
    await server.stop()
  })
  beforeEach(() => {
    state.answers.clear()
    state.lists = new Map<string, unknown>([
      ['/api/users/current', { id: 1 }],
      ['/api/categories', categories],
    ])
    Object.assign(state, { cookies: [], asked: [], frontEnd: '' })
  })
  function open(...options: Parameters<typeof server.open>): Legacy {
    const legacy = server.open(...options)
    opened.push(legacy)
    return legacy
  }
  async function signedIn(...options: Parameters<typeof server.open>): Promise<Legacy> {
    const legacy = open(...options)
    await legacy.signIn('a@former.test', 'pass phrase 17')
    state.asked = []
    return legacy
  }
  return { state, origin, categories, open, signedIn }
}

/** What it failed with; the sentence tells no password. */
export async function failureOf(answer: Promise<unknown>) {
  const error = await answer.catch((reason: unknown) => reason)
  if (!(error instanceof LegacyError)) throw new Error(`It did not fail as it should: ${error}`)
  expect(error.message).not.toContain('pass phrase 17')
  return [error.failure, error.message]
}
