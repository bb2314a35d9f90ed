import { randomBytes } from 'node:crypto'
import { testDatabase } from '@kustos/database/testing'
import { createSecretBox } from '@kustos/domain/platform/secret-box'
import { expect } from 'vitest'
import { type ApiClient, createUser, listen, signIn } from './api-client.ts'
import { readLastEntryOf } from './last-entry.ts'

/** An API, an administrator who changes and reverts, and somebody who reads the log and may do nothing else. */
export async function openReverts() {
  const database = await testDatabase()
  const origin = await listen(database, { secretBox: createSecretBox([randomBytes(32)]) })
  const adminId = await createUser(database, 'admin@kustos.test', 'admin')
  const admin = await signIn(origin, 'admin@kustos.test')
  await createUser(database, 'log@kustos.test', ['view logs', 'view webs', 'view customers'])
  const reader = await signIn(origin, 'log@kustos.test')

  const lastEntry = (type: string, id: number) => readLastEntryOf(database.db, type, id)
  const revert = (entry: number, client: ApiClient = admin) =>
    client.send('POST', `/api/logs/${entry}/revert`)

  return {
    database,
    origin,
    adminId,
    admin,
    reader,
    lastEntry,
    revert,
    /** @returns the id of the entry of the change */
    async change(type: string, id: number, path: string, body: object, method = 'PUT'): Promise<number> {
      const response = await admin.send(method, path, body)
      expect(response.status, await response.text()).toBeLessThan(300)
      return (await lastEntry(type, id)).id
    },
    /** @returns the id of what was created */
    created: async (path: string, body: object) =>
      ((await (await admin.send('POST', path, body)).json()) as { id: number }).id,
    /** @returns the fields that a refused revert names */
    async outdatedFields(entry: number): Promise<string> {
      const response = await revert(entry)
      expect(response.status).toBe(409)
      const { code, error } = (await response.json()) as { code: string; error: string }
      expect([code, error]).toEqual([
        'change_outdated',
        expect.stringMatching(/^admin@kustos\.test has changed/),
      ])
      return /: (.+)\. Nothing was reverted\.$/.exec(error)?.[1] ?? ''
    },
  }
}

/** The status and the code of a response. */
export const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code?: string }).code,
]
