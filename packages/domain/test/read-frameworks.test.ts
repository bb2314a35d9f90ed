import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSshRunners } from '@kustos/clients/runner'
import { startSshServer } from '@kustos/clients/testing/ssh-server'
import { afterAll, expect, test } from 'vitest'
import { readFrameworks } from '../src/nodes/read-frameworks.ts'
import { createMask } from '../src/platform/masking/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'kustos-frameworks-'))
const server = await startSshServer(join(folder, 'ssh'))
const runners = openSshRunners({ ...server, runsFolder: join(folder, 'runs') })
afterAll(async () => {
  await runners.close()
  await server.kill()
  await rm(folder, { recursive: true, force: true })
})

function read(roots: ReadonlyMap<number, string>) {
  const node = { id: 1, name: 'n1', plesk_fqdn: '127.0.0.1' }
  const options = { mask: createMask([]), signal: new AbortController().signal }
  return readFrameworks(runners, node, roots, options)
}

test('leaves out folders that would make the command line too long', async () => {
  const roots = new Map([
    [1, `/${"'".repeat(100)}`],
    [2, `/${'ö'.repeat(200)}`],
    [3, 'relative'],
    [4, ''],
  ])
  expect(await read(roots)).toEqual({ frameworks: new Map(), problems: [] })
})

test('reads two batches of the longest paths over SSH, whatever characters they have', async () => {
  const sites = Array.from({ length: 201 }, (_, id) => {
    const name = `${id} "$HOME" \`id\` $(id) ; * `
    return [id, join(folder, 'sites', name).padEnd(255, '\\')] as const
  })
  for (const [id, root] of sites) {
    expect(root).toHaveLength(255)
    await mkdir(join(root, 'wp-includes'), { recursive: true })
    await writeFile(join(root, 'wp-includes/version.php'), `<?php\n$wp_version = '6.8.${id}';\n`)
  }
  const { frameworks, problems } = await read(new Map(sites))
  expect(problems).toEqual([])
  expect(frameworks).toEqual(new Map(sites.map(([id]) => [id, { name: 'WordPress', version: `6.8.${id}` }])))
})
