import { UnstyledButton } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntryGroup, PaletteEntry } from './entry.ts'
import styles from './palette.module.css'

interface Props {
  readonly id: string
  readonly groups: readonly EntryGroup[]
  /** Index over all groups. */
  readonly active: number
  readonly idOf: (index: number) => string
  readonly onActive: (index: number) => void
}

/** The focus stays in the search field, which announces the active option. */
export function PaletteList({ id, groups, active, idOf, onActive }: Props) {
  const { t } = useTranslation()
  const activeId = active >= 0 ? idOf(active) : null
  // Other entries may have the same index.
  const shown = groups.map(({ entries }) => entries.map(({ key }) => key).join()).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other entries come into sight from their first on.
  useEffect(() => {
    if (activeId !== null) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId, shown])
  let index = -1
  return (
    <div id={id} role="listbox" aria-label={t('palette.list')} className={styles.list}>
      {groups.map(({ key, label, note, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are options.
        <div key={key} role="group" aria-label={label}>
          <div className={styles.heading} aria-hidden="true">
            <span className={styles.groupName}>{label}</span>
            {note !== undefined && <span className={styles.note}>{note}</span>}
          </div>
          {entries.map((entry) => {
            index += 1
            const own = index
            return (
              <Option
                key={entry.key}
                id={idOf(own)}
                entry={entry}
                isActive={own === active}
                onPoint={() => onActive(own)}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

interface OptionProps {
  readonly id: string
  readonly entry: PaletteEntry
  readonly isActive: boolean
  readonly onPoint: () => void
}

function Option({ id, entry, isActive, onPoint }: OptionProps) {
  const { label, hint, icon: Icon, mono = false, danger = false, onSelect } = entry
  return (
    <UnstyledButton
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className={styles.entry}
      mod={{ active: isActive, danger }}
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={() => {
        if (!isActive) onPoint()
      }}
      onClick={onSelect}
    >
      <span className={styles.icon}>
        <Icon size={16} aria-hidden="true" />
      </span>
      <span className={styles.label} data-mono={mono || undefined}>
        {label}
      </span>
      {hint !== undefined && hint !== '' && <span className={styles.hint}>{hint}</span>}
    </UnstyledButton>
  )
}
