import { get } from 'node:http'
import { freePort } from '@kustos/clients/testing/free-port'
import { openRegistry } from '@kustos/domain/metrics'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { serveMetrics } from '../src/metrics.ts'

const port = await freePort()
const metrics = await serveMetrics({
  registry: openRegistry('worker', 'test'),
  host: '127.0.0.1',
  port,
  hosts: ['worker.kustos.test'],
  token: null,
  log: pino({ level: 'silent' }),
})
afterAll(() => metrics.stop())

const statusFor = (host: string | readonly string[]): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(
      { host: '127.0.0.1', port, path: '/metrics', setHost: false, headers: ['host', host].flat() },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    ).on('error', reject)
  })

test.each(['127.0.0.1', 'localhost:9464', 'worker.kustos.test'])('serves metrics of %s', async (host) => {
  expect(await statusFor(host)).toBe(200)
})

test.each(['evil.test', 'localhost.evil.test', ''])('serves no metrics of %j', async (host) => {
  expect(await statusFor(host)).toBe(400)
})
