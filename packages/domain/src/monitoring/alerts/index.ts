export {
  type AlertedWeb,
  announce,
  type IncidentOpened,
  type IncidentResolved,
  type RoundNews,
} from './announce.ts'
export { warnOfCertificates } from './certificates.ts'
export { openAlertChannels } from './channels.ts'
export { enqueueAlerts, sendAlertJob } from './jobs.ts'
export { openAlertSender } from './send.ts'
export { purgeAlerts, sweepAlerts } from './sweep.ts'
export type { AlertSettings, AlertTools } from './tools.ts'
