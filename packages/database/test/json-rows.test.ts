import { expect, test } from 'vitest'
import { copyJsonRows, inSnapshot, readJsonRows } from '../src/json-rows.ts'
import { testDatabase } from '../testing/index.ts'

const { pool } = await testDatabase()

// From shorter than a frame to longer than a piece.
const lengths = [1, 5, 3 * 1024 ** 2, 0, ...Array.from({ length: 3_000 }, (_, row) => (row * 37) % 2_000)]
const rows = lengths.map((length, id) => ({ id, text: 'ü'.repeat(length) }))
const query = `select json_build_object('id', row - 1, 'text', repeat('ü', (array[${lengths}])[row])) from generate_series(1, ${lengths.length}) row`

test('passes on pieces of whole rows', async () => {
  const pieces: unknown[][] = []
  await inSnapshot(pool, (client) =>
    copyJsonRows(client, query, (piece) => void pieces.push(JSON.parse(`[${piece}]`))),
  )
  expect(pieces.length).toBeGreaterThan(3)
  expect(pieces.flat()).toEqual(rows)
})

test.each([0, 1_000, 20 * 1024 ** 2])(
  'reads rows between two texts, of %i bytes as expected',
  async (expectedBytes) => {
    const body = await inSnapshot(pool, (client) =>
      readJsonRows(client, query, ['{"ä":[', ']}'], expectedBytes),
    )
    expect(JSON.parse(body.toString())).toEqual({ ä: rows })
  },
)

test('reads no rows', async () => {
  const none = 'select json_build_array() where false'
  expect(String(await inSnapshot(pool, (client) => readJsonRows(client, none, ['[', ']'], 0)))).toBe('[]')
  await inSnapshot(pool, (client) => copyJsonRows(client, none, () => expect.unreachable()))
})

test('fails with the query, and closes its connection', async () => {
  const failing = 'select json_build_array(1 / (3 - row)) from generate_series(1, 5) row'
  await expect(inSnapshot(pool, (client) => readJsonRows(client, failing, ['[', ']'], 0))).rejects.toThrow(
    'division by zero',
  )
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})
