import {
  HttpError,
  type JsonObject,
  jsonReply,
  type Reply,
  readJsonObject,
  type ServiceRequest,
} from '../http-service.ts'
import type { MessageStore } from './store.ts'

/** The integration key of the sandbox's service. */
export const pagerDutyKey = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'

const actions = ['trigger', 'acknowledge', 'resolve']
const severities = ['critical', 'error', 'warning', 'info']

/**
 * Receives an event of the Events API v2. What is acknowledged or resolved without ever having been triggered is accepted, and nothing
 * happens. @throws HttpError with PagerDuty's words
 */
export function createPagerDuty(store: MessageStore) {
  const open = new Set<string>()
  return async ({ incoming }: ServiceRequest): Promise<Reply> => {
    const event = await readJsonObject(incoming)
    if (event === null) throw new HttpError(400, 'Event object is invalid', { errors: ['JSON parse error'] })
    const errors = errorsOf(event)
    if (errors.length > 0) throw new HttpError(400, 'Event object is invalid', { errors })
    const action = String(event.event_action)
    const key = String(event.dedup_key ?? crypto.randomUUID())
    const isKnown = open.has(key)
    // An event that repeats what is known is deduplicated.
    if (action === 'trigger' ? !isKnown : isKnown) {
      if (action === 'resolve') open.delete(key)
      else open.add(key)
      const { summary = '' } = (event.payload ?? {}) as JsonObject
      store.add({ channel: 'pagerduty', recipient: key, subject: action, text: String(summary) })
    }
    return jsonReply({ status: 'success', message: 'Event processed', dedup_key: key }, 202)
  }
}

function errorsOf({
  routing_key: routing,
  event_action: action,
  dedup_key: key,
  payload,
}: JsonObject): string[] {
  const { summary, source, severity } = (payload ?? {}) as JsonObject
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  return [
    ...(typeof routing === 'string' && routing.length === 32
      ? []
      : ["Length of 'routing_key' is incorrect (should be 32 characters)"]),
    ...(typeof routing === 'string' && routing.length === 32 && routing !== pagerDutyKey
      ? ['Invalid routing key']
      : []),
    ...(actions.includes(String(action)) ? [] : ["'event_action' is missing or invalid"]),
    ...(action !== 'trigger' && !isText(key) ? ["'dedup_key' is missing or blank"] : []),
    ...(isText(key) && String(key).length > 255 ? ["'dedup_key' is too long"] : []),
    ...(action !== 'trigger'
      ? []
      : [
          ...(isText(summary) && String(summary).length <= 1_024
            ? []
            : ["'payload.summary' is missing, blank or too long"]),
          ...(isText(source) ? [] : ["'payload.source' is missing or blank"]),
          ...(severities.includes(String(severity)) ? [] : ["'payload.severity' is invalid"]),
        ]),
  ]
}
