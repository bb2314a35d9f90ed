import { formatTime } from '@kustos/contract/grid'
import { isCurrent, trackingServices, type Web } from '@kustos/contract/webs'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { pagePath } from './paths.ts'
import { Stale } from './Stale.tsx'
import { versionTone } from './versions.ts'

type Cells = Readonly<Record<string, (web: Web) => ReactNode>>

const timeOf = (seconds: number) => formatTime(new Date(seconds * 1000).toISOString())

const version = (number: number | undefined) =>
  number === undefined ? null : <StatusChip tone={versionTone(number)} text={String(number)} />

/** What the tracking list shows beyond what the kinds of its columns give. Null leaves a cell to its kind. @param now in Unix seconds */
export function useTrackingCells(now: number): Cells {
  const { t } = useTranslation()
  return useMemo(() => {
    const services = trackingServices.map((name): [string, (web: Web) => ReactNode] => [
      `${name}_stale`,
      ({ tracking_data: tracking }) => {
        const entries = (tracking?.tracking_services[name] ?? []).filter(
          ({ timestamp }) => !isCurrent(timestamp, now),
        )
        if (entries.length === 0) return null
        const tip = entries
          .map(({ id, timestamp }) => t('tracking.list.staleTip', { id, time: timeOf(timestamp) }))
          .join('\n')
        return (
          <span data-tip={tip}>
            {entries.map(({ id, domain }) => (
              <Stale key={`${id} ${domain}`} text={id} />
            ))}
          </span>
        )
      },
    ])
    return {
      fqdn: ({ id, fqdn }) => <GridLink to={pagePath(id)}>{fqdn}</GridLink>,
      usercentrics_version: ({ tracking_data: tracking }) => version(tracking?.usercentrics?.version),
      referrerjs: ({ tracking_data: tracking }) => version(tracking?.referrerjs?.version),
      ...Object.fromEntries(services),
    }
  }, [now, t])
}
