import { logEntries } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { expect, test } from 'vitest'
import { findLastChange } from '../src/platform/audit.ts'
import { readLastRemovals, rejectSupersededRevert } from '../src/platform/logged-change.ts'

const database = await testDatabase()
const { db } = database
const scope = { db }

test('changes of one subject are in the order in which they were made, also if the clocks of their programs differ', async () => {
  const subject = { type: 'web', id: 7 }
  const add = async (description: string, created_at: Date) => {
    const [entry] = await db
      .insert(logEntries)
      .values({
        created_at,
        log_name: 'webs',
        description,
        subject_type: subject.type,
        subject_id: subject.id,
        properties: {},
      })
      .returning({ id: logEntries.id })
    if (!entry) throw new Error('The entry was not inserted')
    return entry.id
  }
  const aheadMs = 10 * 60_000
  const deleted = await add('deleted', new Date(Date.now() + aheadMs))
  const restored = await add('restored', new Date())

  expect((await findLastChange(scope, subject)).id).toBe(restored)
  expect(await readLastRemovals(scope, subject.type, [subject.id])).toEqual(new Map([[subject.id, restored]]))
  await rejectSupersededRevert(scope, subject, restored)
  await expect(rejectSupersededRevert(scope, subject, deleted)).rejects.toThrow('deleted or restored')
})
