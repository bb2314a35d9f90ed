import { purgeChannelTests, syncConfiguredChannels, testChannelJob } from '@kustos/domain/alert-channels'
import {
  announceIncidents,
  announceIncidentsJob,
  escalateIncidents,
  type MonitoringSettings,
  type Reminders,
  remindOfIncidents,
} from '@kustos/domain/monitoring'
import {
  endFormerRefusals,
  openAlertSender,
  purgeAlerts,
  sendAlertJob,
  sendChannelTest,
  sweepAlerts,
  updatePagerDuty,
  warnOfCertificates,
} from '@kustos/domain/monitoring/alerts'
import type { Context } from '@kustos/domain/platform/context'
import { createQueueWork, type QueueWork } from '@kustos/domain/platform/jobs'
import { noticeShifts } from '@kustos/domain/rotas'
import type { WorkerServices } from '@kustos/domain/services'
import type { Meter } from '../job-metrics.ts'
import type { PeriodicTask } from '../periodic-tasks.ts'

/** In one worker process. */
const concurrency = 6

export function alertWork(
  context: Context,
  { alerts }: Pick<WorkerServices, 'alerts'>,
  settings: MonitoringSettings,
  meter: Pick<Meter, 'countSentAlert'>,
): QueueWork {
  const sender = openAlertSender(alerts, meter.countSentAlert)
  const send = createQueueWork(sendAlertJob, concurrency, ({ alert }, signal) =>
    sender(context, alert, signal),
  )
  const announce = createQueueWork(announceIncidentsJob, concurrency, () =>
    announceIncidents(context, alerts, settings),
  )
  const test = createQueueWork(testChannelJob, concurrency, (data, signal) =>
    sendChannelTest(context, alerts, data.test, signal),
  )
  const others = new Map<string, QueueWork>([
    [announceIncidentsJob.name, announce],
    [testChannelJob.name, test],
  ])
  return {
    ...send,
    run: (job, signal) => (others.get(job.name) ?? send).run(job, signal),
  }
}

export const alertTasks = (
  { alerts }: Pick<WorkerServices, 'alerts'>,
  { internalMarker }: Pick<MonitoringSettings, 'internalMarker'>,
  reminders: Reminders,
): readonly PeriodicTask[] => [
  {
    name: 'escalate-incidents',
    everyMs: 5_000,
    run: (context) => escalateIncidents(context, alerts),
  },
  { name: 'notice-shifts', everyMs: 15_000, run: noticeShifts },
  {
    name: 'remind-of-incidents',
    everyMs: 60_000,
    run: (context) => remindOfIncidents(context, alerts, reminders),
  },
  {
    name: 'warn-of-expiring-certificates',
    everyMs: 60_000,
    run: (context) => warnOfCertificates(context, alerts, internalMarker),
  },
  {
    name: 'enqueue-lost-alerts',
    everyMs: 30_000,
    run: (context) => sweepAlerts(context, alerts),
  },
  {
    name: 'update-pagerduty',
    everyMs: 30_000,
    run: (context) => updatePagerDuty(context, alerts),
  },
  {
    name: 'sync-configured-channels',
    everyMs: 60_000,
    run: (context) => syncConfiguredChannels(context, (channel) => alerts.channels[channel] !== null),
  },
  {
    name: 'end-former-refusals',
    everyMs: 60_000,
    run: (context) => endFormerRefusals(context, alerts),
  },
  { name: 'purge-channel-tests', everyMs: 6 * 3_600_000, run: purgeChannelTests },
  { name: 'purge-alerts', everyMs: 6 * 3_600_000, run: purgeAlerts },
]
