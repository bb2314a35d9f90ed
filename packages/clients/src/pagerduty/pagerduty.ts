import { z } from 'zod'
import { assertAccepted } from '../delivery/assert-accepted.ts'
import { createDeliveryClient, type DeliveryGuard } from '../delivery/create-delivery-client.ts'
import type { Severity } from '../delivery/delivery.ts'
import { toOneLine } from '../delivery/message-text.ts'
import { parseJsonAs } from '../http/json-api.ts'

export interface PagerDutySettings {
  /** The Events API, such as https://events.pagerduty.com */
  readonly url: string
  /** The integration key of a service. It is in no error. */
  readonly key: string
  readonly guard?: DeliveryGuard
  readonly timeoutMs?: number
}

/** The details of an event that opens an alert. */
export interface PagerDutyTrigger {
  readonly summary: string
  /** What has the problem, such as the name of a host. */
  readonly source: string
  readonly severity: Severity
  readonly at: Date
  readonly component?: string | null
  readonly group?: string | null
  readonly kind?: string | null
  readonly details?: Readonly<Record<string, unknown>>
  /** Where Kustos shows it. */
  readonly url?: string | null | undefined
}

export type PagerDuty = ReturnType<typeof openPagerDuty>

/** https://developer.pagerduty.com/docs/events-api-v2-overview and /docs/send-alert-event */
const maxSummaryLength = 1_024

/** Opens an integration of PagerDuty's Events API v2. Events with the same key belong to the same alert. */
export function openPagerDuty({ url, key, guard, timeoutMs = 10_000 }: PagerDutySettings) {
  const http = createDeliveryClient('PagerDuty', timeoutMs, guard)
  const address = new URL(`${url.replace(/\/+$/, '')}/v2/enqueue`)
  const enqueue = async (event: object, signal?: AbortSignal): Promise<void> => {
    const body = { routing_key: key, ...event }
    assertAccepted(await http.request({ url: address, body, signal }), {
      service: 'PagerDuty',
      setting: 'the integration key',
      isAccepted: (status) => status === 202,
      isPermanent: (status) => status === 400 || status === 403 || status === 404 || status === 413,
      explain: ({ body: text }) => {
        const { message = '', errors = [] } = parseJsonAs(refusal, text) ?? {}
        return { words: [message, ...errors].filter((words) => words !== '').join(': ') }
      },
      secrets: [key],
    })
  }
  return {
    /** @throws {DeliveryError} if the event was not accepted; the signal's reason if it is aborted */
    trigger: (dedupKey: string, event: PagerDutyTrigger, signal?: AbortSignal) =>
      enqueue(
        {
          event_action: 'trigger',
          dedup_key: dedupKey,
          client: 'Kustos',
          ...(event.url != null && {
            client_url: event.url,
            links: [{ href: event.url, text: 'Open in Kustos' }],
          }),
          payload: {
            summary: toOneLine(event.summary, maxSummaryLength),
            source: event.source,
            severity: event.severity,
            timestamp: event.at.toISOString(),
            ...(event.component != null && { component: event.component }),
            ...(event.group != null && { group: event.group }),
            ...(event.kind != null && { class: event.kind }),
            custom_details: event.details ?? {},
          },
        },
        signal,
      ),
    /** @throws as `trigger` */
    acknowledge: (dedupKey: string, signal?: AbortSignal) =>
      enqueue({ event_action: 'acknowledge', dedup_key: dedupKey }, signal),
    /** @throws as `trigger` */
    resolve: (dedupKey: string, signal?: AbortSignal) =>
      enqueue({ event_action: 'resolve', dedup_key: dedupKey }, signal),
    close: http.close,
  }
}

const refusal = z.object({ message: z.string().optional(), errors: z.array(z.string()).optional() })
