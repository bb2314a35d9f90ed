import { Input } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EarlySearch } from '../palette/early-search.ts'
import styles from './Shell.module.css'

interface Props {
  readonly onSearch: (search: EarlySearch) => void
  readonly onClose: () => void
}

const showModal = (dialog: HTMLDialogElement | null) => dialog?.showModal()

/** The palette's field while the palette is being loaded. A dialog of Mantine's would be part of the first load. */
export function EarlyPalette({ onSearch, onClose }: Props) {
  const { t } = useTranslation()
  const [opener] = useState(() => document.activeElement)
  useEffect(() => onSearch({ query: '', enteredQuery: null, opener }), [onSearch, opener])
  const label = t('shell.openPalette')
  return (
    <dialog
      ref={showModal}
      className={styles.earlyPalette}
      aria-label={label}
      data-palette=""
      onClose={onClose}
    >
      <Input
        size="lg"
        variant="unstyled"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        maxLength={300}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        onChange={({ currentTarget: { value } }) => onSearch({ query: value, enteredQuery: null, opener })}
        onKeyDown={({ key, currentTarget: { value } }) => {
          if (key === 'Enter') onSearch({ query: value, enteredQuery: value, opener })
        }}
      />
    </dialog>
  )
}
