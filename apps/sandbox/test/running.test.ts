import { describe } from 'vitest'
import { openCollector } from './collector.ts'
import { testDeployments } from './deployment-tests.ts'
import { testMonitoring } from './monitoring-tests.ts'
import { testObservability } from './observability-tests.ts'
import { setUpSandbox } from './set-up-sandbox.ts'
import { freePort } from './system.ts'

// In one sandbox, since its start takes longer than most tests.

const metricsPort = await freePort()
const collector = await openCollector()
const sandbox = await setUpSandbox({
  PROBE_INTERVAL: '20',
  METRICS_PORT: metricsPort,
  LOG_LEVEL: 'debug',
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20collector-token',
})

// First, since deployments change webs.
describe('monitoring', () => testMonitoring(sandbox))
describe('observability', () => testObservability(sandbox, { metricsPort, collector }))
describe('deployments', () => testDeployments(sandbox))
