import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './data-grid.module.css'
import type { BulkAction } from './types.ts'

interface Props<Row> {
  readonly selected: readonly Row[]
  /** Selected rows that are hidden by filters. */
  readonly hiddenCount: number
  readonly actions: readonly BulkAction<Row>[]
  readonly onClear: () => void
}

export function BulkBar<Row>({ selected, hiddenCount, actions, onClear }: Props<Row>) {
  const { t } = useTranslation()
  return (
    <div className={classes.bulk} role="toolbar" aria-label={t('grid.selected', { count: selected.length })}>
      <span aria-live="polite">
        {t('grid.selected', { count: selected.length })}
        {hiddenCount > 0 && ` ${t('grid.selectedHidden', { count: hiddenCount })}`}
      </span>
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
      <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
        {t('grid.clearSelection')}
      </Button>
    </div>
  )
}
