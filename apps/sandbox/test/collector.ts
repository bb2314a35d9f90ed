import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll } from 'vitest'

export interface CollectedSpan {
  readonly service: string
  readonly traceId: string
  readonly id: string
  readonly parent: string | undefined
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number>>
}

type Attributes = readonly {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}[]

/** https://opentelemetry.io/docs/specs/otlp/#otlphttp-request, as JSON */
interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes }
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly name: string
        readonly attributes: Attributes
      }[]
    }[]
  }[]
}

const readAttributes = (attributes: Attributes) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? JSON.stringify(value)]),
  )

export type Collector = Awaited<ReturnType<typeof openCollector>>

/** A collector of OpenTelemetry, which keeps the spans that it gets. It is closed after the tests of the file. */
export async function openCollector() {
  const spans: CollectedSpan[] = []
  const authorizations = new Set<string | undefined>()
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') {
      response.writeHead(404).end()
      return
    }
    authorizations.add(request.headers.authorization)
    for (const { resource, scopeSpans } of ((await json(request)) as Traces).resourceSpans)
      for (const each of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          service: String(readAttributes(resource.attributes)['service.name']),
          traceId: each.traceId,
          id: each.spanId,
          parent: each.parentSpanId,
          name: each.name,
          attributes: readAttributes(each.attributes),
        })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, authorizations }
}
