import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openQueues } from '@kustos/clients/queue'
import { queues } from '@kustos/contract/queue'
import { openDatabase } from '@kustos/database/client'
import { startEmbedded } from '@kustos/database/embedded'
import { migrate } from '@kustos/database/migrations'
import { simulateDrift } from '@kustos/domain/testing/simulate-drift'

/**
 * Judges the audits of 300 customers over 30 simulated days, in which 60 webs drift from their tracking contract and others are
 * flaky, and prints which drifts were found by the second audit and how many alerts were wrong.
 */
const options = { customers: 300, drifts: 60, days: 30 }

const folder = await mkdtemp(join(tmpdir(), 'kustos-bench-'))
const postgres = await startEmbedded({ folder: join(folder, 'postgres') })
const database = openDatabase(postgres.url, { asLogin: true })
const open = await openQueues({ databaseUrl: postgres.url, onError: console.error }, queues)
try {
  await migrate(postgres.url)
  const alerts = {
    channels: { slack: null, telegram: null, mail: null },
    mailTo: [],
    publicUrl: null,
    queues: open,
    onError: console.error,
  }
  const started = performance.now()
  const { wrong, ...report } = await simulateDrift(database, alerts, options)
  const seconds = (performance.now() - started) / 1000
  console.log(`${options.customers} customers, ${options.days} days:`)
  for (const [name, value] of Object.entries(report)) console.log(`  ${name.padEnd(16)} ${value}`)
  console.log(`  wrong            ${wrong.length}${wrong.length > 0 ? `: ${wrong.join(', ')}` : ''}`)
  console.log(
    `  ${((seconds * 1000) / report.audits).toFixed(1)} ms for each audit, ${seconds.toFixed(0)} s in all`,
  )
} finally {
  await open.close()
  await database.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
