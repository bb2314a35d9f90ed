export {
  type AlertTools,
  announceDnsChanges,
  announceDrift,
  announceExpiringDomains,
  type DnsChange,
  enqueueAlerts,
} from './alerts/index.ts'
export { announceIncidents, enqueueAnnouncement } from './announce-incidents.ts'
export {
  checkCertificates,
  forgetCertificates,
  isOtherCertificate,
  listCertificateEntries,
  listWebCertificates,
} from './certificates/index.ts'
export { type Controls, openControls } from './controls.ts'
export { type Day, dayAfter, dayOf, daysFrom, nightOf, type Span, spanOf } from './day.ts'
export { lockDomainMove, noteDomainMoved, noteDomainReturned } from './domain-moves.ts'
export {
  computeDownSpans,
  computePlannedSpans,
  floorToSecondMs,
  type IncidentTimes,
  overlapSeconds,
} from './downtime.ts'
export { escalateIncidents } from './escalate.ts'
export { evaluateRound } from './evaluate-round.ts'
export { listIncidents, readTimes } from './incidents.ts'
export { announceIncidentsJob, type ProbeShard, probeShard } from './jobs.ts'
export { listMonitoredWebs, readMonitoredWeb, readMonitoring } from './list.ts'
export { countedWebs, downSince, listedWebs, monitoredWebs } from './monitored-webs.ts'
export { hostOf, minWebsOfOutage } from './outage.ts'
export { packStatistics } from './pack.ts'
export { ensurePartition, purgeStatistics } from './partitions.ts'
export { previewAlert } from './preview-alert.ts'
export { probeWebs } from './probe-shard.ts'
export { openProbing, type Probing } from './probing.ts'
export { type Reminders, remindOfIncidents } from './remind.ts'
export { rollUp, uptimeDay } from './roll-up.ts'
export { scheduleRound } from './schedule.ts'
export type { MonitoringSettings } from './settings.ts'
export { listStatistics, maxProbeDelayMs } from './statistics.ts'
export { listUptime } from './uptime.ts'
