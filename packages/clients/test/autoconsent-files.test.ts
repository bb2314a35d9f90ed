import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readAutoconsent } from '../src/browser/autoconsent-rules.ts'

test('the rules are read again if that has failed', async () => {
  const reading = vi.spyOn(files, 'readFile')
  const restore = () => {
    reading.mockRestore()
    syncBuiltinESMExports()
  }
  onTestFinished(restore)
  reading.mockRejectedValue(new Error('EMFILE: too many open files'))
  syncBuiltinESMExports()
  await expect(readAutoconsent()).rejects.toThrow('EMFILE')
  restore()
  const { rules } = await readAutoconsent()
  expect(rules.length).toBeGreaterThan(100)
})
