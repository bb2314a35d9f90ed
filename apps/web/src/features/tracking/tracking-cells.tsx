import type { AttentionEntry } from '@kustos/contract/attention'
import { formatTime } from '@kustos/contract/grid'
import { isCurrent, listServices, trackingServices, type Web } from '@kustos/contract/webs'
import { IconClockExclamation } from '@tabler/icons-react'
import i18next from 'i18next'
import { customerCells } from '../../entities/customer/customer-cells.tsx'
import { trackingPath } from '../../entities/tracking/paths.ts'
import { ServiceChips } from '../../entities/tracking/ServiceChips.tsx'
import { serviceName } from '../../entities/tracking/service-name.ts'
import styles from '../../entities/tracking/tracking.module.css'
import { versionTone } from '../../entities/tracking/versions.ts'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells } from '../../ui/data-grid/types.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { toWithoutConsent, type Violations } from './tracking-grid.ts'

const timeOf = (seconds: number) => formatTime(new Date(seconds * 1000).toISOString())

const version = (number: number | undefined) =>
  number === undefined ? null : <StatusChip tone={versionTone(number)} text={String(number)} />

/** @param violation missing if nobody may see it, or if it has just begun or ended */
function withoutConsent(names: readonly string[], violation: AttentionEntry | undefined) {
  if (violation === undefined) return <ServiceChips names={names} />
  const services = violation.services.map(serviceName).join(', ')
  const tip = i18next.t('tracking.list.withoutConsentTip', { since: formatTime(violation.since), services })
  return (
    <span data-tip={tip}>
      <ServiceChips names={names} />
    </span>
  )
}

/** Cells of the tracking list. @param now in Unix seconds */
export function trackingCellsAt(now: number, violations: Violations | undefined): Cells<Web> {
  const services = trackingServices.map((name): [string, Cells<Web>[string]] => [
    `${name}_stale`,
    ({ tracking_data: tracking }) => {
      const entries = (tracking?.tracking_services[name] ?? []).filter(
        ({ timestamp }) => !isCurrent(timestamp, now),
      )
      if (entries.length === 0) return null
      const tip = entries
        .map(({ id, timestamp }) => i18next.t('tracking.list.staleTip', { id, time: timeOf(timestamp) }))
        .join('\n')
      return (
        <span data-tip={tip}>
          {entries.map(({ id, domain }) => (
            <span key={`${id} ${domain}`} className={styles.id}>
              <IconClockExclamation size={13} aria-hidden="true" className={styles.clock} />
              {id}
            </span>
          ))}
        </span>
      )
    },
  ])
  return {
    ...customerCells,
    fqdn: ({ id, fqdn }) => <GridLink to={trackingPath(id)}>{fqdn}</GridLink>,
    before_consent: (web) => {
      const names = listServices(web, toWithoutConsent(violations))
      return names.length > 0 && withoutConsent(names, violations?.get(web.id))
    },
    usercentrics_version: ({ tracking_data: tracking }) => version(tracking?.usercentrics?.version),
    referrerjs: ({ tracking_data: tracking }) => version(tracking?.referrerjs?.version),
    ...Object.fromEntries(services),
  }
}
