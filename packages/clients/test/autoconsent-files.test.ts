import { expect, test } from 'vitest'
import { readAutoconsent, readOnce } from '../src/browser/autoconsent-rules.ts'

test('the rules are read once', async () => {
  const { rules } = await readAutoconsent()
  expect(rules.length).toBeGreaterThan(100)
  expect((await readAutoconsent()).rules).toBe(rules)
})

test('what could not be read is read again', async () => {
  let reads = 0
  const read = readOnce(async () => {
    reads += 1
    if (reads === 1) throw new Error('EMFILE: too many open files')
    return reads
  })
  await expect(read()).rejects.toThrow('EMFILE')
  expect([await read(), await read()]).toEqual([2, 2])
})
