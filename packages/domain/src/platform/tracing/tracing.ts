import { AsyncLocalStorage } from 'node:async_hooks'
import type * as api from '@opentelemetry/api'

type Api = typeof api

/** Undefined while traces are off. Nothing of OpenTelemetry is loaded then. */
let telemetry: { readonly api: Api; readonly tracer: api.Tracer } | undefined

const activeSpan = new AsyncLocalStorage<api.Span>()

/** Lets all spans be recorded by a tracer; undefined turns traces off. */
export function setTelemetry(value: typeof telemetry): void {
  telemetry = value
}

/** Values that anybody may see who sees traces: ids, names and codes, and never texts, arguments or output. */
type Attributes = Readonly<Record<string, string | number | boolean>>

export interface SpanOptions {
  readonly kind: 'server' | 'consumer' | 'client' | 'internal'
  readonly attributes?: Attributes
  /** Of the span that has caused it in another process, as `currentTraceparent` returns it; else the active one. */
  readonly traceparent?: string | undefined
}

export interface Span {
  readonly traceId: string
  /** Makes it the parent of the spans that the work begins, however deep. */
  run<T>(work: () => T): T
  set(attributes: Attributes): void
  /** @param errorType a code, or the name of an error's class */
  fail(errorType: string): void
  end(): void
}

/** @returns null while traces are off */
export function beginSpan(name: string, { kind, attributes = {}, traceparent }: SpanOptions): Span | null {
  if (telemetry === undefined) return null
  const { api, tracer } = telemetry
  const active = activeSpan.getStore()
  const parent = (traceparent && parseTraceparent(traceparent)) || active?.spanContext()
  const context = parent === undefined ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, parent)
  const kinds = {
    server: api.SpanKind.SERVER,
    consumer: api.SpanKind.CONSUMER,
    client: api.SpanKind.CLIENT,
    internal: api.SpanKind.INTERNAL,
  }
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, context)
  return {
    traceId: span.spanContext().traceId,
    run: (work) => activeSpan.run(span, work),
    set: (more) => void span.setAttributes({ ...more }),
    fail(errorType) {
      span.setAttribute('error.type', errorType)
      span.setStatus({ code: api.SpanStatusCode.ERROR })
    },
    end: () => span.end(),
  }
}

/**
 * Records the work as a span. Of an error only the name of its class is recorded, since its message may contain data.
 * @param work gets the span, or null while traces are off
 */
export async function withSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = beginSpan(name, options)
  if (span === null) return work(null)
  try {
    return await span.run(() => work(span))
  } catch (error) {
    span.fail(error instanceof Error ? error.name : typeof error)
    throw error
  } finally {
    span.end()
  }
}

/** The active span in W3C's format (https://www.w3.org/TR/trace-context/), for a job that it causes. */
export function currentTraceparent(): string | undefined {
  const span = activeSpan.getStore()?.spanContext()
  return span && `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
}

function parseTraceparent(traceparent: string): api.SpanContext | undefined {
  const [, traceId, spanId, flags = '00'] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}
