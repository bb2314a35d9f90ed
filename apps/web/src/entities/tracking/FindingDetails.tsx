import { formatTime, type Tone } from '@kustos/contract/grid'
import type { Evidence, Finding } from '@kustos/contract/tracking'
import { IconChevronRight, IconClockExclamation } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { displayHost, displayUrls } from './display-host.ts'
import type { KnownFinding } from './findings.ts'
import styles from './tracking.module.css'
import { versionTone } from './versions.ts'

export function FindingDetails({ known }: { readonly known: KnownFinding }) {
  const { t } = useTranslation()
  const { finding, since, mayBeOlder, lastSeen, state } = known
  const { topic, domain, names, evidence } = finding
  const isConsentBlocked = evidence.length > 0 && evidence.every(({ gated }) => gated)
  return (
    <details className={styles.item}>
      <summary className={styles.summary}>
        <IconChevronRight size={14} aria-hidden="true" className={styles.chevron} />
        <span className={styles.topic}>{t(`tracking.topics.${topic}`)}</span>
        <span className={styles.value}>
          <Value finding={finding} />
          {domain !== null && (
            <span className={styles.domain}>{t('tracking.found.from', { domain: displayHost(domain) })}</span>
          )}
        </span>
        <span className={styles.badges}>
          {names !== null && names.length > 0 && (
            <span className={styles.dimmed}>{t('tracking.found.names', { count: names.length })}</span>
          )}
          {isConsentBlocked && <StatusChip tone="grey" text={t('tracking.found.consentBlocked')} />}
          {state !== 'now' && (
            <span
              title={t('tracking.found.lastSeen', { time: formatTime(lastSeen) })}
              className={styles.state}
            >
              <IconClockExclamation size={14} aria-hidden="true" />
              <StatusChip
                tone={state === 'stale' ? 'orange' : 'grey'}
                text={t(`tracking.found.states.${state}`)}
              />
            </span>
          )}
        </span>
        <span className={styles.since}>
          {t(mayBeOlder ? 'tracking.found.sinceAtLeast' : 'tracking.found.since', {
            time: formatTime(since).slice(0, 16),
          })}
        </span>
      </summary>
      <div className={styles.evidence}>
        {state !== 'now' && (
          <p className={styles.dimmed}>{t('tracking.found.lastSeen', { time: formatTime(lastSeen) })}</p>
        )}
        {names !== null && names.length > 0 && (
          <p className={styles.names}>
            {names.map((name) => (
              <span key={name} className={styles.name}>
                {name}
              </span>
            ))}
          </p>
        )}
        {evidence.length === 0 ? (
          <p className={styles.dimmed}>{t('tracking.found.noEvidence')}</p>
        ) : (
          <ul aria-label={t('tracking.found.evidence')} className={styles.pieces}>
            {evidence.map((piece) => (
              <Piece key={`${piece.source} ${piece.phase} ${piece.url} ${piece.excerpt}`} piece={piece} />
            ))}
          </ul>
        )}
      </div>
    </details>
  )
}

const valueTones: Readonly<Record<string, Tone>> = { error: 'red', installed: 'green' }

function Value({ finding: { topic, value, version } }: { readonly finding: Finding }) {
  const { t } = useTranslation()
  return (
    <>
      {topic === 'digiaccess' && value !== null ? (
        <StatusChip tone={valueTones[value] ?? 'grey'} text={valueText(value, t)} />
      ) : (
        value !== null && <code className={styles.code}>{displayUrls(valueText(value, t))}</code>
      )}
      {version !== null && (
        <StatusChip tone={versionTone(version)} text={t('tracking.found.version', { version })} />
      )}
    </>
  )
}

/** The value of a finding that only says that something is present. */
export const present = 'yes'

const translatedValues = ['granted', 'denied', 'error', 'installed', present] as const

/** Translates values that are words; ids stay as they are. */
export function valueText(value: string, t: TFunction): string {
  return value
    .split(', ')
    .map((part) => {
      const word = translatedValues.find((known) => known === part)
      if (word !== undefined) return t(`tracking.values.${word}`)
      const version = /^version (\d+)$/.exec(part)?.[1]
      if (version !== undefined) return t('tracking.found.version', { version })
      const domain = /^from (\S+)$/.exec(part)?.[1]
      return domain === undefined ? part : t('tracking.found.from', { domain })
    })
    .join(', ')
}

function Piece({ piece: { source, url, excerpt, gated, phase } }: { readonly piece: Evidence }) {
  const { t } = useTranslation()
  return (
    <li className={styles.piece}>
      <div className={styles.pieceHead}>
        <span className={styles.source}>{t(`tracking.sources.${source}`)}</span>
        {phase !== undefined && <span className={styles.dimmed}>{t(`tracking.visit.phases.${phase}`)}</span>}
        {gated && phase === undefined && <StatusChip tone="grey" text={t('tracking.found.consentBlocked')} />}
        <span className={styles.url}>{displayUrls(url)}</span>
      </div>
      <code className={styles.excerpt}>{excerpt}</code>
    </li>
  )
}
