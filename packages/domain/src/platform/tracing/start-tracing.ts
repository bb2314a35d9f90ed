import { setTimeout as sleep } from 'node:timers/promises'
import type { Configuration } from '../configuration/index.ts'
import { errorMessage } from '../errors.ts'
import { setTelemetry } from './tracing.ts'

type Settings = Pick<
  Configuration,
  'KUSTOS_REVISION' | 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_TRACES_SAMPLER_ARG'
>

const exportTimeoutMs = 5_000
/** For the last spans of a process that ends. */
const flushTimeoutMs = 2_000

/**
 * Sends spans to the configured collector (OTLP over HTTP, as JSON). Without one nothing is loaded.
 * @param onWarning is told why spans could not be sent
 * @returns sends what is left
 */
export async function startTracing(
  program: string,
  settings: Settings,
  onWarning: (text: string) => void,
): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = settings
  if (endpoint === undefined) return () => Promise.resolve()
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const ignore = () => undefined
  const logger = { error: onWarning, warn: onWarning, info: ignore, debug: ignore, verbose: ignore }
  api.diag.setLogger(logger, { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true })
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers,
    timeoutMillis: exportTimeoutMs,
  })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': program,
      'service.namespace': 'kustos',
      'service.version': settings.KUSTOS_REVISION,
    }),
    sampler: new sdk.ParentBasedSampler({
      root: new sdk.TraceIdRatioBasedSampler(settings.OTEL_TRACES_SAMPLER_ARG),
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, exportTimeoutMillis: exportTimeoutMs })],
  })
  setTelemetry({ api, tracer: provider.getTracer('kustos') })
  return async () => {
    setTelemetry(undefined)
    const flushed = provider.shutdown().catch((error: unknown) => onWarning(errorMessage(error)))
    await Promise.race([flushed, sleep(flushTimeoutMs, undefined, { ref: false })])
  }
}
