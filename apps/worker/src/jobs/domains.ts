import {
  checkDueMail,
  checkDueRecords,
  lookUpDueExpiries,
  recordsIntervalMs,
  serverSpacingMs,
  syncWatchedDomains,
  warnOfExpiringDomains,
} from '@kustos/domain/domains'
import type { Configuration } from '@kustos/domain/platform/configuration'
import type { WorkerServices } from '@kustos/domain/services'
import type { PeriodicTask } from '../periodic-tasks.ts'

type Settings = Pick<Configuration, 'DKIM_SELECTORS' | 'DNS_ALERT_TYPES'>

/** Watches the DNS, the registration and the e-mail security of domains. */
export const watchTasks = (
  { dns, rdap, alerts }: Pick<WorkerServices, 'dns' | 'rdap' | 'alerts'>,
  { DKIM_SELECTORS: selectors, DNS_ALERT_TYPES: alertTypes }: Settings,
): readonly PeriodicTask[] => [
  { name: 'sync-watched-domains', everyMs: 10_000, run: syncWatchedDomains },
  {
    name: 'check-dns-records',
    everyMs: recordsIntervalMs,
    run: (context, signal) => checkDueRecords(context, { dns, alerts }, { alertTypes }, signal),
  },
  {
    name: 'look-up-expiries',
    everyMs: serverSpacingMs,
    run: (context, signal) => lookUpDueExpiries(context, rdap, signal),
  },
  {
    name: 'check-mail-safety',
    everyMs: 60_000,
    run: (context, signal) => checkDueMail(context, dns, selectors, signal),
  },
  {
    name: 'warn-of-expiring-domains',
    everyMs: 3_600_000,
    run: (context) => warnOfExpiringDomains(context, alerts),
  },
]
