import { ActionIcon, Button } from '@mantine/core'
import { IconDots, IconX } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyMenu } from '../menu/lazy-menu.ts'
import { useDeferredMenu } from '../menu/use-deferred-menu.ts'
import classes from './data-grid.module.css'
import type { BulkAction } from './types.ts'

const [BulkMenu, preload] = lazyMenu(() => import('./BulkMenu.tsx'))

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
  const more = useDeferredMenu(preload)
  const isEmpty = selected.length === 0
  const minor = actions.filter(({ isMinor }) => isMinor)
  const major = actions.filter(({ isMinor }) => !isMinor)
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
          <Button
            size="xs"
            variant="subtle"
            className={classes.selectMatching}
            onClick={() => onSelect(matching, true)}
          >
            {t('grid.selectMatching', { count: matching.length })}
          </Button>
        )}
        {major.map(({ key, label, icon: Icon, run }) => (
          <Button
            key={key}
            size="xs"
            variant="default"
            leftSection={<Icon size={16} />}
            disabled={isEmpty}
            onClick={() => run(selected, onClear)}
          >
            {label}
          </Button>
        ))}
        {minor.length > 0 && (
          <Button
            {...more.button}
            size="xs"
            variant="default"
            leftSection={<IconDots size={16} />}
            disabled={isEmpty}
          >
            {t('grid.more')}
          </Button>
        )}
      </div>
      {more.target && (
        <Suspense>
          <BulkMenu
            target={more.target}
            onClose={more.close}
            actions={minor.map(({ run, ...action }) => ({ ...action, run: () => run(selected, onClear) }))}
          />
        </Suspense>
      )}
    </div>
  )
}
