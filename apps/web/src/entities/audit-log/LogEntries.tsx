import { formatTime } from '@kustos/contract/grid'
import { commandLine } from '@kustos/contract/log-words'
import type { LogRow } from '@kustos/contract/logs'
import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useUser } from '../../platform/session.ts'
import { descriptionText, logNameText, subjectIdText, subjectNameText } from './description-text.ts'
import { LogDifference } from './LogDifference.tsx'
import styles from './logs.module.css'
import { subjectPath } from './paths.ts'
import { RevertButton } from './RevertButton.tsx'
import { findReverts } from './reverts.ts'

interface Props {
  readonly entries: readonly LogRow[]
  /** All entries share it, so it is not repeated. */
  readonly about: 'subject' | 'causer'
}

export function LogEntries({ entries, about }: Props) {
  const reverts = findReverts(entries)
  return (
    <ol className={styles.entries}>
      {entries.map((entry) => (
        <LogEntryItem key={entry.id} entry={entry} about={about} revertedBy={reverts.get(entry.id)} />
      ))}
    </ol>
  )
}

/** Number of fields shown until an entry is opened. */
const collapsedFieldCount = 3

interface ItemProps {
  readonly entry: LogRow
  readonly about: Props['about'] | 'neither'
  /** The entry that has reverted it, if the list has that. */
  readonly revertedBy: number | undefined
}

export function LogEntryItem({ entry, about, revertedBy }: ItemProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const causedBy = ({ causer, properties }: LogRow) => {
    if (causer !== null) return t('logs.by', { causer })
    return properties.attributes?.by === commandLine ? t('logs.byCommandLine') : t('logs.byKustos')
  }
  return (
    <li className={styles.entry}>
      <div className={styles.head}>
        <time dateTime={entry.created_at} className={styles.time}>
          {formatTime(entry.created_at)}
        </time>
        <span className={styles.what}>
          {logNameText(t, entry.log_name)}: {descriptionText(t, entry.description)}
        </span>
        {about !== 'subject' && <LogSubject entry={entry} />}
        {about !== 'causer' && <span className={styles.causer}>{causedBy(entry)}</span>}
      </div>
      {isOpen ? (
        <LogDifference entry={entry} whole />
      ) : (
        <LogDifference entry={entry} most={collapsedFieldCount} onMore={() => setOpen(true)} />
      )}
      <RevertButton entry={entry} revertedBy={revertedBy} isInline />
    </li>
  )
}

export function LogSubject({ entry }: { readonly entry: LogRow }) {
  const { t } = useTranslation()
  const user = useUser()
  if (entry.subject_type === null) return null
  const path = subjectPath(user, entry)
  const name = subjectNameText(t, entry) ?? subjectIdText(t, entry)
  return path === null ? (
    <span className={styles.subject}>{name}</span>
  ) : (
    <Anchor component={Link} to={path} inherit className={styles.subject}>
      {name}
    </Anchor>
  )
}
