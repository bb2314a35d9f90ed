import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { CollectedSpan, Collector } from './collector.ts'
import { createDeployer } from './deployer.ts'
import type { RunningSandbox } from './set-up-sandbox.ts'

/** Defines the tests of metrics, logs and traces of a running sandbox. */
export function testObservability(
  { folder, admin }: RunningSandbox,
  { metricsPort, collector }: { metricsPort: string; collector: Collector },
): void {
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

  async function readLogLines(): Promise<readonly Record<string, unknown>[]> {
    const logs = await Promise.all(
      ['api', 'worker'].map((program) => readFile(join(folder, 'logs', `${program}.log`), 'utf8')),
    )
    return logs
      .flatMap((log) => log.split('\n').filter((line) => line.startsWith('{')))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  test('one trace leads from a request through its job to the commands on the node', async () => {
    const { id } = await findCloudWeb(1)
    const response = await request('backupWeb', { id })
    const requestId = response.headers.get('x-request-id')
    expect((await waitForDeployment(response)).state).toBe('succeeded')
    const find = (name: RegExp, attributes: object) =>
      collector.spans.find(
        (span) =>
          name.test(span.name) && isDeepStrictEqual({ ...span.attributes, ...attributes }, span.attributes),
      )
    const job = () => find(/^job runDeployment$/, { 'kustos.request': requestId, 'kustos.outcome': 'done' })
    await expect.poll(job).toBeDefined()
    const traceId = job()?.traceId
    await expect.poll(() => find(/^POST /, { 'kustos.request': requestId })).toBeDefined()
    const spans = collector.spans.filter((span) => span.traceId === traceId)
    const parentOf = (span: CollectedSpan | undefined) => spans.find((each) => each.id === span?.parent)
    const post = spans.find((span) => span.parent === undefined)
    expect(post).toMatchObject({
      service: 'kustos-api',
      name: 'POST /api/deployment/backupWeb',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/deployment/backupWeb',
        'http.response.status_code': 204,
        'kustos.request': requestId,
      },
    })
    expect(job()).toMatchObject({
      service: 'kustos-worker',
      attributes: { 'messaging.destination.name': 'deployment' },
    })
    expect(parentOf(job())).toBe(post)
    const command = spans.find(
      (span) => 'process.exit.code' in span.attributes && /^step /.test(parentOf(span)?.name ?? ''),
    )
    expect(command?.attributes).toMatchObject({ 'process.exit.code': 0, 'kustos.node': expect.any(String) })
    expect(parentOf(parentOf(command))).toBe(job())
    const lines = (await readLogLines()).filter((line) => line.req_id === requestId)
    expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['request', 'job done']))
    for (const line of lines) expect(line.trace_id).toBe(traceId)
  })

  test('spans hold nothing but names, numbers and ids', () => {
    const attributes = collector.spans.flatMap((span) => Object.entries(span.attributes))
    expect(collector.authorizations).toEqual(new Set(['Bearer collector-token']))
    expect(attributes.length).toBeGreaterThan(0)
    for (const [name, value] of attributes) expect(String(value), name).toMatch(/^[\w./:-]*$/)
    expect(JSON.stringify(collector.spans)).not.toMatch(/kustos-sandbox|@kustos\.test|collector-token/)
  })

  test('docs/observability.md has every field of the logs', async () => {
    const { id } = await findCloudWeb(1)
    const ended = await waitForDeployment(await request('backupWeb', { id }))
    expect(ended.state).toBe('succeeded')
    const fields = new Set((await readLogLines()).flatMap((line) => Object.keys(line)))
    expect([...fields]).toEqual(expect.arrayContaining(['route', 'queue', 'task', 'outcome']))
    const page = await readRepositoryFile('docs/observability.md')
    const documented = new Set([...page.matchAll(/^\| `[^|]+/gm)].flatMap(([cell]) => cell.match(/\w+/g)))
    expect([...fields].filter((field) => !documented.has(field))).toEqual([])
  })
}
