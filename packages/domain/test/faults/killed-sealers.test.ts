import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { logSeals } from '@kustos/database/tables'
import { test, vi } from 'vitest'
import { openTestLog } from '../test-log.ts'

const { database, record, expectSealed } = await openTestLog()
const { db } = database

test('sealers that are killed miss and repeat nothing', async () => {
  let isKilling = true
  const writing = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (isKilling) await record(Math.ceil(Math.random() * 300))
    }),
  )
  for (let kill = 0; kill < 8; kill++) {
    const before = await db.$count(logSeals)
    const sealer = fork(new URL('./endless-sealer.ts', import.meta.url), [database.url], { execArgv: [] })
    await vi.waitUntil(async () => (await db.$count(logSeals)) > before, { timeout: 60_000, interval: 5 })
    await sleep(Math.random() * 50)
    sealer.kill('SIGKILL')
    await once(sealer, 'exit')
  }
  isKilling = false
  await writing
  await expectSealed()
})
