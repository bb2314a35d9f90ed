import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { documentedLogFields } from '../../../.ci/log-fields.ts'
import { createDeployer } from './deployer.ts'
import { setUpSandbox } from './set-up-sandbox.ts'
import { freePort } from './system.ts'

const metricsPort = await freePort()
const { folder, admin } = await setUpSandbox({ METRICS_PORT: metricsPort, LOG_LEVEL: 'debug' })
const { findCloudWeb, request, waitForDeployment } = createDeployer(admin)

const readRepositoryFile = (path: string) =>
  readFile(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')

/** The names of what the API and the worker export. */
async function scrapeNames(): Promise<readonly string[]> {
  const texts = await Promise.all([
    admin.call('GET', '/metrics').then((response) => response.text()),
    fetch(`http://127.0.0.1:${metricsPort}/metrics`).then((response) => response.text()),
  ])
  return texts
    .flatMap((text) => [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)])
    .flatMap(([, name = '', type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    )
}

const findNames = (text: string) => [...new Set(text.match(/\b(?:kustos|process|nodejs)_\w+/g))]

test.each([
  'observability/alerts.yml',
  'observability/alerts.test.yml',
  'observability/grafana-dashboard.json',
  'docs/observability.md',
])('%s uses only metrics that the programs export', async (file) => {
  const exported = await scrapeNames()
  const used = findNames(await readRepositoryFile(file))
  expect(used.length).toBeGreaterThan(5)
  // Of a group of metrics the documents name the beginning.
  expect(used.filter((name) => !name.endsWith('_') && !exported.includes(name))).toEqual([])
})

test('docs/observability.md has every metric of Kustos', async () => {
  const documented = findNames(await readRepositoryFile('docs/observability.md'))
  const exported = (await scrapeNames()).filter((name) => name.startsWith('kustos_'))
  const families = exported.filter((name) => !/_(bucket|sum|count)$/.test(name))
  expect(families.length).toBeGreaterThan(20)
  expect(families.filter((name) => !documented.includes(name))).toEqual([])
})

test('docs/observability.md has every field of the logs', async () => {
  const { id } = await findCloudWeb()
  const ended = await waitForDeployment(await request('backupWeb', { id }))
  expect(ended.state).toBe('succeeded')
  const logs = await Promise.all(
    ['api', 'worker'].map((program) => readFile(join(folder, 'logs', `${program}.log`), 'utf8')),
  )
  const lines = logs.flatMap((log) => log.split('\n').filter((line) => line.startsWith('{')))
  const fields = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line) as object)))
  expect([...fields]).toEqual(expect.arrayContaining(['route', 'queue', 'task', 'outcome']))
  const documented = documentedLogFields(await readRepositoryFile('docs/observability.md'))
  expect([...fields].filter((field) => !documented.has(field))).toEqual([])
})
