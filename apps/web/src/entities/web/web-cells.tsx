import { formatTime } from '@kustos/contract/grid'
import {
  domainStatusOptions,
  frameworkSupport,
  type Support,
  type Web,
  webStatusOptions,
} from '@kustos/contract/webs'
import { IconExternalLink } from '@tabler/icons-react'
import i18next from 'i18next'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells } from '../../ui/data-grid/types.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { customerCells } from '../customer/customer-cells.tsx'
import { ProbeState } from '../incident/ProbeState.tsx'
import { nodeCells } from '../node/node-cells.tsx'
import { certificateLeft } from './certificate.ts'
import { webPath } from './paths.ts'
import styles from './webs.module.css'

export const webCells: Cells<Web> = {
  ...customerCells,
  ...nodeCells,
  fqdn: (web) => (web.deleted_at === null ? host(web) : null),
  status: ({ status }) => unknownCode(status, webStatusOptions),
  domain_status: ({ domain_status: status }) => unknownCode(status, domainStatusOptions),
  http_status_code: ({ http_status_code: code, down_since: since }) => {
    return since === null && code === null ? null : <ProbeState status={code} downSince={since} />
  },
  framework_support: support,
  cert_expiration: ({ cert_from: from, cert_expiration: end }) =>
    end === null ? null : certificate(from, end),
}

function host({ id, fqdn }: Web) {
  return (
    <>
      <a
        href={`https://${fqdn}`}
        target="_blank"
        rel="noopener noreferrer"
        tabIndex={-1}
        className={styles.visit}
        aria-label={i18next.t('webs.openNamed', { fqdn })}
      >
        <IconExternalLink size={14} aria-hidden="true" />
      </a>
      <GridLink to={webPath(id)}>{fqdn}</GridLink>
    </>
  )
}

/** Plesk has more codes than the specification names. */
function unknownCode(code: number | null, known: readonly { value: string }[]) {
  if (code === null || known.some(({ value }) => value === String(code))) return null
  return (
    <span data-tip={i18next.t('webs.unknownStatusTip', { code })}>
      <StatusChip tone="grey" text={i18next.t('webs.unknownStatus')} />
    </span>
  )
}

export const supportTones = { ending: 'orange', extended: 'orange', ended: 'red' } as const

export const isMarked = (support: Support): support is keyof typeof supportTones => support in supportTones

function support({ framework_name: name, framework_version: version }: Web) {
  const known = frameworkSupport(name, version, new Date())
  if (known === null) return null
  const until = known.until.replaceAll('-', '/')
  const tone = isMarked(known.support) ? supportTones[known.support] : 'green'
  const label = i18next.t(`gridLabels.webs.options.framework_support.${known.support}`)
  return (
    <span data-tip={i18next.t(`webs.support.tips.${known.support}`, { until })}>
      <StatusChip tone={tone} text={label} />
      <span className={styles.left}>{until}</span>
    </span>
  )
}

function certificate(from: string | null, iso: string) {
  const end = formatTime(iso)
  const { days, tone } = certificateLeft(from, iso, new Date())
  const timeLeft =
    days < 0 ? i18next.t('webs.certificate.ended') : i18next.t('webs.certificate.days', { count: days })
  const tip =
    days < 0
      ? i18next.t('webs.certificate.endedTip', { end })
      : i18next.t('webs.certificate.leftTip', { end, count: days })
  return (
    <span data-tip={tip}>
      {end.slice(0, 10)}
      {tone === null ? (
        <span className={styles.left}>{timeLeft}</span>
      ) : (
        <span className={styles.mark}>
          <StatusChip tone={tone} text={timeLeft} />
        </span>
      )}
    </span>
  )
}
