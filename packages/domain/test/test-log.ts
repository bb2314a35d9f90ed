import { logEntries, logSeals } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { expect } from 'vitest'
import { sealLog, verifyLog } from '../src/logs/index.ts'
import { withAudit } from '../src/platform/audit.ts'
import { createContext } from '../src/platform/context.ts'

/** Opens an empty audit log that can be written and sealed. */
export async function openTestLog() {
  const database = await testDatabase()
  const { db } = database
  const context = createContext(database)
  const { signal } = new AbortController()
  const seal = () => sealLog(context, signal)

  const record = (entries = 1) =>
    withAudit(context, (tx) =>
      tx.recordAll(
        Array.from({ length: entries }, (_, n) => ({
          log: 'webs',
          description: 'updated',
          subject: { type: 'web', id: n + 1 },
          attributes: { comment: 'Grüße "an" \\ alle\n', n },
        })),
      ),
    )

  /** The ids of all sealed entries, in the order of the chain. */
  async function readSealedIds(): Promise<number[]> {
    const seals = await db.select().from(logSeals).orderBy(logSeals.number)
    return seals.flatMap(({ entries }) => entries.split('\n').map((line) => Number(line.split(' ')[0])))
  }
  const readIds = async () =>
    (await db.select({ id: logEntries.id }).from(logEntries).orderBy(logEntries.id)).map(({ id }) => id)

  /** Checks that, after one more seal, each entry is sealed once and as it is. */
  async function expectSealed(): Promise<void> {
    await seal()
    expect(await readSealedIds()).toEqual(await readIds())
    expect(await verifyLog(context, null)).toMatchObject({ fault: null, unsealed: 0 })
  }

  return { database, context, signal, seal, record, readSealedIds, readIds, expectSealed }
}
