export { startTracing } from './start-tracing.ts'
export { traceRunners } from './trace-runners.ts'
export { beginSpan, currentTraceparent, type Span, withSpan } from './tracing.ts'
