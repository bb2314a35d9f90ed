import type { Context } from '@kustos/domain/context'
import { handle, type JobHandler } from '@kustos/domain/jobs'
import type { MonitoringSettings } from '@kustos/domain/monitoring'
import {
  openAlertSender,
  purgeAlerts,
  sendAlertJob,
  sweepAlerts,
  warnOfCertificates,
} from '@kustos/domain/monitoring/alerts'
import type { OutsideOfWorkers } from '@kustos/domain/outside'
import type { Duty } from '../worker.ts'

/** In one worker process; each of them holds a connection of the database while its message is on the way. */
export const alertsAtOnce = 6

export function alertJobs(
  context: Context,
  { alerts }: Pick<OutsideOfWorkers, 'alerts'>,
): readonly JobHandler[] {
  const send = openAlertSender(alerts)
  return [handle(sendAlertJob, ({ alert }, signal) => send(context, alert, signal))]
}

export const alertDuties = (
  { alerts }: Pick<OutsideOfWorkers, 'alerts'>,
  { internalMarker }: Pick<MonitoringSettings, 'internalMarker'>,
): readonly Duty[] => [
  {
    name: 'warn of certificates that end',
    every: 3_600_000,
    run: (context) => warnOfCertificates(context, alerts, internalMarker),
  },
  {
    name: 'hand over alerts that lost their job',
    every: 30_000,
    run: (context) => sweepAlerts(context, alerts),
  },
  { name: 'remove old alerts', every: 6 * 3_600_000, run: purgeAlerts },
]
