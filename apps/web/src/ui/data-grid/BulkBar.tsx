import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './data-grid.module.css'
import type { BulkAction } from './types.ts'

interface Props<Row> {
  readonly chosen: readonly Row[]
  /** Selected rows that are hidden by filters. */
  readonly hiddenCount: number
  readonly actions: readonly BulkAction<Row>[]
  readonly onClear: () => void
}

export function BulkBar<Row>({ chosen, hiddenCount, actions, onClear }: Props<Row>) {
  const { t } = useTranslation()
  return (
    <div className={classes.bulk} role="toolbar" aria-label={t('grid.chosen', { count: chosen.length })}>
      <span aria-live="polite">
        {t('grid.chosen', { count: chosen.length })}
        {hiddenCount > 0 && ` ${t('grid.chosenHidden', { count: hiddenCount })}`}
      </span>
      {actions.map(({ key, label, icon: Icon, run }) => (
        <Button
          key={key}
          size="xs"
          variant="default"
          leftSection={<Icon size={16} />}
          disabled={chosen.length === 0}
          onClick={() => run(chosen)}
        >
          {label}
        </Button>
      ))}
      <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
        {t('grid.chooseNone')}
      </Button>
    </div>
  )
}
