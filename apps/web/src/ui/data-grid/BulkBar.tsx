import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './data-grid.module.css'
import type { BulkAction } from './types.ts'

interface Props<Row> {
  readonly selected: readonly Row[]
  /** Selected rows that are hidden by filters. */
  readonly hiddenCount: number
  /** All rows that match the filters, on all pages. */
  readonly matching: readonly Row[]
  readonly actions: readonly BulkAction<Row>[]
  readonly onSelect: (rows: readonly Row[], isSelected: boolean) => void
  readonly onClear: () => void
}

export function BulkBar<Row>({ selected, hiddenCount, matching, actions, onSelect, onClear }: Props<Row>) {
  const { t } = useTranslation()
  return (
    <div className={classes.bulk}>
      <div role="toolbar" aria-label={t('grid.selected', { count: selected.length })}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('grid.clearSelection')}
          title={t('grid.clearSelection')}
          onClick={onClear}
        >
          <IconX size={16} />
        </ActionIcon>
        <span aria-live="polite">
          {t('grid.selected', { count: selected.length })}
          {hiddenCount > 0 && ` ${t('grid.selectedHidden', { count: hiddenCount })}`}
        </span>
        {selected.length > 0 && selected.length < matching.length && (
          <Button size="xs" variant="subtle" onClick={() => onSelect(matching, true)}>
            {t('grid.selectMatching', { count: matching.length })}
          </Button>
        )}
        {actions.map(({ key, label, icon: Icon, run }) => (
          <Button
            key={key}
            size="xs"
            variant="default"
            leftSection={<Icon size={16} />}
            disabled={selected.length === 0}
            onClick={() => run(selected)}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}
