import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfiguration } from '../../src/platform/configuration/index.ts'
import { openWorkerServices } from '../../src/services.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kustos-authorities-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** No database is needed, because the file is read first. */
async function openWith(file: string) {
  const read = readConfiguration({ PROBE_CA_FILE: file })
  if (!read.ok) throw new Error(read.sentence)
  await openWorkerServices(read.configuration, {
    databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
    onError: () => undefined,
  })
}

test('names a missing authority file and stops the start', async () => {
  const file = join(folder, 'missing.pem')
  await expect(openWith(file)).rejects.toThrow(/^PROBE_CA_FILE cannot be used: .*missing\.pem/)
})

test('names an authority file without certificates and stops the start', async () => {
  const file = join(folder, 'wrong.pem')
  await writeFile(file, 'This is no certificate.\n')
  await expect(openWith(file)).rejects.toThrow(/^PROBE_CA_FILE cannot be used: .*wrong\.pem/)
})
