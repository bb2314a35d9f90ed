import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { freePort } from '@kustos/clients/testing/free-port'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { readConfiguration } from '../src/platform/configuration/index.ts'
import { createJob, defineJob, readTraceparent } from '../src/platform/jobs.ts'
import { secretsOf } from '../src/platform/masking/index.ts'
import { beginSpan, currentTraceparent, startTracing, withSpan } from '../src/platform/tracing/index.ts'

function configure(variables: Readonly<Record<string, string>>) {
  const read = readConfiguration(variables)
  if (!read.ok) throw new Error(read.sentence)
  return read.configuration
}

/** @returns what has been loaded of OpenTelemetry by a process that starts tracing */
async function listLoaded(variables: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const [configuration, tracing] = ['configuration/index.ts', 'tracing/index.ts'].map(
    (path) => new URL(`../src/platform/${path}`, import.meta.url),
  )
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    const { readConfiguration } = await import('${configuration}')
    const { startTracing } = await import('${tracing}')
    await startTracing('test', readConfiguration(process.env).configuration, () => undefined)
    console.log(JSON.stringify(loaded.filter((url) => url.includes('opentelemetry'))))
    process.exit()`
  const options = { env: { PATH: process.env.PATH, ...variables } }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    options,
  )
  return JSON.parse(stdout)
}

test('loads OpenTelemetry only if a collector is configured', async () => {
  expect(await listLoaded({})).toEqual([])
  expect(await listLoaded({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).not.toEqual([])
})

test('without a collector work has no span, and jobs no trace', async () => {
  await startTracing('test', configure({}), () => undefined)
  expect(beginSpan('work', { kind: 'internal' })).toBeNull()
  expect(await withSpan('work', { kind: 'internal' }, async (span) => [span, currentTraceparent()])).toEqual([
    null,
    undefined,
  ])
  const job = createJob(definition, 'one', { number: 1 })
  expect(job.data).toEqual({ number: 1 })
})

const definition = defineJob({
  queue: 'inspection',
  name: 'runInspection',
  payload: z.object({ number: z.number() }),
})

describe('with a collector', async () => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => server.close())
  const { port } = server.address() as AddressInfo

  async function start(more: Readonly<Record<string, string>> = {}) {
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, ...more }
    const onWarning = vi.fn<(text: string) => void>()
    const stop = await startTracing('test', configure(variables), onWarning)
    onTestFinished(() => stop())
    return { onWarning, stop }
  }

  test('a job continues the trace of the work that causes it', async () => {
    await start()
    const { data, traceId } = await withSpan('request', { kind: 'server' }, async (span) => ({
      data: createJob(definition, 'one', { number: 1 }, 'request-1').data,
      traceId: span?.traceId,
    }))
    expect(data).toMatchObject({ number: 1, request_id: 'request-1' })
    const traceparent = readTraceparent(data)
    expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    const run = beginSpan('job', { kind: 'consumer', traceparent })
    expect(run?.traceId).toBe(traceId)
    run?.end()
  })

  test.each([undefined, '', '00-1234', `01-${'0'.repeat(32)}-1`])(
    'a job with the traceparent %j begins a trace',
    async (traceparent) => {
      await start()
      const span = beginSpan('job', { kind: 'consumer', traceparent })
      expect(span?.traceId).toMatch(/^[0-9a-f]{32}$/)
      span?.end()
    },
  )

  test('an error passes through its span', async () => {
    await start()
    const work = withSpan('work', { kind: 'internal' }, () => Promise.reject(new RangeError('too far')))
    await expect(work).rejects.toThrow('too far')
  })

  test('records the configured share of the traces', async () => {
    await start({ OTEL_TRACES_SAMPLER_ARG: '0' })
    const traceparent = await withSpan('request', { kind: 'server' }, async () => currentTraceparent())
    expect(traceparent).toMatch(/-00$/)
  })

  test('that is away, a program that ends waits two seconds at most, and says why spans are lost', async () => {
    const { stop, onWarning } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    })
    await withSpan('work', { kind: 'internal' }, () => Promise.resolve())
    const started = performance.now()
    await stop()
    expect(performance.now() - started).toBeLessThan(5_000)
    await expect.poll(() => onWarning.mock.calls.flat().join()).toContain('ECONNREFUSED')
  })
})

test('masks the headers of the collector in logs', () => {
  const secrets = secretsOf(
    configure({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:password-of-url@collector.test',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20token-of-header,X-Key=key-of-header',
    }),
  )
  expect(secrets).toEqual(expect.arrayContaining(['token-of-header', 'key-of-header', 'password-of-url']))
})
