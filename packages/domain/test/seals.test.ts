import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from '@kustos/database/client'
import { logEntries, logSeals } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findFault } from '../src/logs/chain.ts'
import { formatHead, parseHead, sealLog, verifyLog } from '../src/logs/index.ts'
import { withAudit } from '../src/platform/audit.ts'
import { openTestLog } from './test-log.ts'

const log = await openTestLog()
const { database, context, signal, seal, record, readSealedIds, readIds } = log
const { db, owner } = database

describe('sealing', () => {
  // Every test leaves a log that is sealed as it is.
  afterEach(log.expectSealed)

  it('covers each entry once, in the order of the ids', async () => {
    expect(await seal()).toBe(null)
    await record(3)
    expect(await seal()).toMatchObject({ seals: 1, entries: 3 })
    await record(2500)
    expect(await seal()).toMatchObject({ seals: 3, entries: 2500 })
    expect(await seal()).toBe(null)
  })

  it('waits for an entry that is committed after a later one, and lets others write meanwhile', async () => {
    const { promise: end, resolve: commit } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const slow = withAudit(context, async (tx) => {
      await tx.record({ log: 'webs', description: 'created' })
      begin()
      await end
    })
    await begun
    await record()
    const before = (await readSealedIds()).length
    const sealing = seal()
    await sleep(400)
    await record()
    expect(await readSealedIds()).toHaveLength(before)
    commit()
    await slow
    // The entry that was begun after the sealing is for the next seal.
    expect(await sealing).toMatchObject({ entries: 2 })
  })

  it('continues after ids that were never committed', async () => {
    await expect(
      withAudit(context, async (tx) => {
        await tx.record({ log: 'webs', description: 'created' })
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(await seal()).toBe(null)
    await record()
    expect(await seal()).toMatchObject({ entries: 1 })
  })

  it('seals each entry exactly once under concurrent writers', async () => {
    let isWriting = true
    const write = async (writer: number) => {
      for (let n = 0; n < 15; n++)
        await withAudit(context, async (tx) => {
          await tx.record({ log: 'webs', description: 'updated', attributes: { writer, n } })
          await sleep(Math.random() * 20)
          await tx.record({ log: 'webs', description: 'updated', attributes: { writer, n, second: true } })
          if (n % 5 === 4) throw new Error('rolled back')
        }).catch((error: Error) => expect(error.message).toBe('rolled back'))
    }
    const sealAgain = async () => {
      while (isWriting) await seal()
    }
    const sealers = [sealAgain(), sealAgain(), sealAgain()]
    const before = await db.$count(logEntries)
    await Promise.all(Array.from({ length: 20 }, (_, writer) => write(writer)))
    isWriting = false
    await Promise.all(sealers)
    expect((await db.$count(logEntries)) - before).toBe(20 * 12 * 2)
    expect(await db.$count(logSeals)).toBeGreaterThan(5)
  }, 60_000)
})

describe('tampering as the owner', () => {
  let head = ''
  beforeAll(async () => {
    await record(1200)
    await seal()
    await record(10)
    head = (await seal())?.head ?? ''
  })

  class Undo extends Error {}
  /** Verifies a changed log, then undoes the change. */
  async function verifyAfter(
    tamper: (tx: Transaction) => Promise<unknown>,
    expected = '',
  ): Promise<string | null> {
    let fault: string | null = 'not verified'
    await owner.db
      .transaction(async (tx) => {
        // Disables all triggers.
        await tx.execute(sql`set local session_replication_role = replica`)
        await tamper(tx)
        ;({ fault } = await verifyLog({ ...context, db: tx }, parseHead(expected)))
        throw new Undo()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error
      })
    return fault
  }
  const run = (statement: string) => (tx: Transaction) => tx.execute(sql.raw(statement))
  const ids = async () => {
    const all = await readIds()
    return { middle: all[Math.floor(all.length / 2)] ?? 0, last: all.at(-1) ?? 0 }
  }

  it('reports no fault in an untouched log', async () => {
    expect(await verifyAfter(run('select'), head)).toBe(null)
  })

  it.each([
    ['properties = \'{"attributes":{}}\''],
    ["properties = replace(properties::text, '{', '{ ')::json"],
    ["created_at = created_at - interval '1 millisecond'"],
    ["created_at = created_at + interval '40 days'"],
    ["log_name = 'users'"],
    ["description = 'deleted'"],
    ['subject_type = null'],
    ['subject_id = subject_id + 1'],
    ['subject_id = null'],
    ["request_id = 'another'"],
    ["created_at = 'infinity'"],
  ])('names an entry that was changed: %s', async (change) => {
    const { middle } = await ids()
    expect(await verifyAfter(run(`update log_entries set ${change} where id = ${middle}`))).toMatch(
      new RegExp(`^Entry ${middle} of \\S+ \\(UTC\\) was changed after seal \\d+\\.$`),
    )
  })

  it('finds no fault in an entry that an earlier release sealed without the id of its request', () => {
    const columns = ['1', '2026-11-20T10:00:00', 'webs', 'updated', 'web', '1', null, '{}']
    const [sealedAt, before] = [new Date('2026-11-20T10:00:10Z'), '0'.repeat(64)]
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    const entries = `1 2026-11-20T10:00:00 ${hash(JSON.stringify(columns))}`
    const seal = {
      number: 1,
      sealedAt,
      previousHash: before,
      entries,
      hash: hash(`kustos audit seal 1\n1 ${sealedAt.toJSON()}\n${before}\n${entries}\n`),
    }
    const entry = {
      id: '1',
      created_at: '2026-11-20T10:00:00',
      log_name: 'webs',
      description: 'updated',
      subject_type: 'web',
      subject_id: '1',
      causer_id: null,
      properties: '{}',
      request_id: '3964a8f2',
    }
    const previous = { number: 0, hash: before }
    expect(findFault(previous, seal, [entry])).toBe(null)
    expect(findFault(previous, seal, [{ ...entry, description: 'deleted' }])).toMatch(/was changed/)
  })

  it('names the first of several', async () => {
    const { middle } = await ids()
    const change = `update log_entries set description = 'x' where id in (${middle + 3}, ${middle}, ${middle + 1})`
    expect(await verifyAfter(run(change))).toMatch(new RegExp(`^Entry ${middle} `))
  })

  it('names an entry that was deleted', async () => {
    const { middle, last } = await ids()
    for (const id of [middle, last])
      expect(await verifyAfter(run(`delete from log_entries where id = ${id}`))).toMatch(
        new RegExp(`^Entry ${id} of \\S+ \\(UTC\\) is missing: it is in seal \\d+\\.$`),
      )
  })

  it('names an entry that was added, or moved to another id', async () => {
    const { middle } = await ids()
    const columns = 'created_at, log_name, description, subject_type, subject_id, causer_id, properties'
    const add = (id: string) =>
      `insert into log_entries (id, ${columns}) overriding system value
      select ${id}, now(), ${columns.slice('created_at, '.length)} from log_entries where id = ${middle}`
    // The same id again, and one that was never committed.
    for (const id of [String(middle), '0', '-5'])
      expect(await verifyAfter(run(add(id)))).toMatch(
        /was added after seal \d+, which covers its id\.$|was changed after/,
      )
    const gap = (await readIds()).find((id, index, all) => all[index + 1] !== id + 1) ?? 0
    expect(await verifyAfter(run(add(String(gap + 1))))).toMatch(
      new RegExp(`^Entry ${gap + 1} of .* was added`),
    )
    const move = `update log_entries set id = default where id = ${middle}`
    expect(await verifyAfter(run(move))).toMatch(new RegExp(`^Entry ${middle} of .* is missing`))
  })

  it('names a seal that was changed, deleted or replaced', async () => {
    const number = parseHead(head)?.number ?? 0
    const cases: [string, RegExp][] = [
      [
        `update log_seals set hash = repeat('0', 64) where number = ${number - 1}`,
        /^Seal \d+ was changed\.$/,
      ],
      [
        `update log_seals set entries = replace(entries, ' ', '  ') where number = ${number - 1}`,
        /^Seal \d+ was changed\.$/,
      ],
      [
        `update log_seals set sealed_at = sealed_at + interval '1 hour' where number = ${number}`,
        /^Seal \d+ was changed\.$/,
      ],
      [`update log_seals set sealed_at = 'infinity' where number = ${number}`, /^Seal \d+ was changed\.$/],
      [
        `update log_seals set previous_hash = repeat('1', 64) where number = ${number}`,
        /^Seal \d+ does not continue seal/,
      ],
      [
        `delete from log_seals where number = ${number - 1}`,
        /^Seal \d+ is missing; the next one is seal \d+\.$/,
      ],
      ['delete from log_seals where number = 1', /^Seal 1 is missing/],
    ]
    for (const [statement, fault] of cases) expect(await verifyAfter(run(statement))).toMatch(fault)
  })

  it('shows only with a head that was noted if the end of the log and its seals are cut off', async () => {
    const number = parseHead(head)?.number ?? 0
    const { last } = await ids()
    const cut = async (tx: Transaction) => {
      await tx.execute(sql`delete from log_entries where id > ${last - 10}`)
      await tx.execute(sql`delete from log_seals where number = ${number}`)
    }
    expect(await verifyAfter(cut)).toBe(null)
    expect(await verifyAfter(cut, head)).toBe(
      `The chain ends with seal ${number - 1}, before seal ${number} that was noted.`,
    )
    const all = async (tx: Transaction) => {
      await tx.execute(sql`truncate log_entries`)
      await tx.execute(sql`truncate log_seals`)
    }
    expect(await verifyAfter(all, head)).toMatch(/^The chain ends with seal 0/)
    expect(await verifyAfter(run('truncate log_entries'))).toMatch(/^Entry \d+ .* is missing/)
  })

  it('shows only with a head that was noted if the whole chain is computed again', async () => {
    const { middle } = await ids()
    const replace = async (tx: Transaction) => {
      await tx.execute(sql`delete from log_entries where id = ${middle}`)
      await tx.execute(sql`truncate log_seals`)
      await sealLog({ ...context, db: tx as typeof db }, signal)
      // As many seals as before, at least.
      for (let n = 0; n < (parseHead(head)?.number ?? 0); n++) {
        await tx
          .insert(logEntries)
          .values({ created_at: new Date(), log_name: 'webs', description: 'x', properties: {} })
        await sealLog({ ...context, db: tx as typeof db }, signal)
      }
    }
    expect(await verifyAfter(replace)).toBe(null)
    expect(await verifyAfter(replace, head)).toMatch(
      /^Seal \d+ is not the one that was noted: the chain was replaced\.$/,
    )
  })

  it('does not change what the head of an unchanged log is', async () => {
    expect(formatHead((await verifyLog(context, parseHead(head))).head)).toBe(head)
  })
})
