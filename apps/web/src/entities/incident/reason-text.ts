import type { MonitoredWeb } from '@kustos/contract/monitoring'
import { storedText } from '../../platform/message-text.ts'

type Down = Pick<MonitoredWeb, 'down_reason' | 'down_reason_code' | 'down_reason_params'>
export type Degraded = Pick<
  MonitoredWeb,
  'degraded_since' | 'degraded_reason' | 'degraded_reason_code' | 'degraded_reason_params'
>

/** Why a web is down, in the language of the screen; empty if it is not. */
export const downText = (web: Down): string =>
  storedText(web.down_reason, web.down_reason_code, web.down_reason_params)

/** Why a web is degraded, in the language of the screen. */
export const degradedText = (web: Degraded): string =>
  storedText(web.degraded_reason, web.degraded_reason_code, web.degraded_reason_params)

/** Why a web is down or degraded, in the language of the screen; empty if it is neither. */
export const watchReasonText = (web: Down & Degraded): string => downText(web) || degradedText(web)
