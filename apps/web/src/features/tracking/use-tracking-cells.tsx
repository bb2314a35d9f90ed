import { formatTime } from '@kustos/contract/grid'
import { isCurrent, trackingServices, type Web } from '@kustos/contract/webs'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { useNow } from '../../ui/use-now.ts'
import { pagePath } from './paths.ts'
import { Stale } from './Stale.tsx'
import { versionTone } from './versions.ts'

type Cells = Readonly<Record<string, (web: Web) => ReactNode>>

const timeOf = (seconds: number) => formatTime(new Date(seconds * 1000).toISOString())

const version = (number: number | undefined) =>
  number === undefined ? null : <StatusChip tone={versionTone(number)} text={String(number)} />

/** What the tracking list shows beyond what the kinds of its columns give. Null leaves a cell to its kind. */
export function useTrackingCells(): Cells {
  const { t } = useTranslation()
  // Entries become stale while somebody looks.
  const now = Math.floor(useNow(60_000) / 1000)
  return useMemo(() => {
    const services = trackingServices.flatMap((name): [string, (web: Web) => ReactNode][] => {
      const found = ({ tracking_data: tracking }: Web) => tracking?.tracking_services[name] ?? []
      const isStale = ({ timestamp }: { timestamp: number }) => !isCurrent(timestamp, now)
      return [
        [
          name,
          (web) => {
            const entries = found(web)
            if (!entries.some(isStale)) return null
            const tip = entries
              .map(({ id, timestamp }) => t('tracking.list.staleTip', { id, time: timeOf(timestamp) }))
              .join('\n')
            return (
              <span data-tip={tip}>
                {entries.map((entry) => (
                  <Stale key={`${entry.id} ${entry.domain}`} text={entry.id} isStale={isStale(entry)} />
                ))}
              </span>
            )
          },
        ],
        [
          `${name}_seen`,
          (web) => {
            const newest = Math.max(...found(web).map(({ timestamp }) => timestamp))
            if (!Number.isFinite(newest) || isCurrent(newest, now)) return null
            const time = timeOf(newest)
            return (
              <span data-tip={time}>
                <StatusChip tone="orange" text={t('tracking.list.stale')} /> {time.slice(0, 10)}
              </span>
            )
          },
        ],
      ]
    })
    return {
      fqdn: ({ id, fqdn }) => <GridLink to={pagePath(id)}>{fqdn}</GridLink>,
      usercentrics_version: ({ tracking_data: tracking }) => version(tracking?.usercentrics?.version),
      referrerjs: ({ tracking_data: tracking }) => version(tracking?.referrerjs?.version),
      ...Object.fromEntries(services),
    }
  }, [now, t])
}
