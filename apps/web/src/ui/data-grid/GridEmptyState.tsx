import type { ColumnKind } from '@kustos/contract/grid'
import { Button, Group } from '@mantine/core'
import { IconDatabaseOff, IconFilterOff } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../EmptyState.tsx'
import { useReturnFocus } from '../use-return-focus.ts'
import classes from './data-grid.module.css'
import type { RowPlan } from './row-plan.ts'

const skeletonWidths: Readonly<Record<ColumnKind, string>> = {
  text: '70%',
  number: '40%',
  bytes: '60%',
  date: '85%',
  select: '50%',
  status: '60%',
  tags: '80%',
}

export function GridSkeleton<Row>({ plan }: { readonly plan: RowPlan<Row> }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: 20 }, (_, row) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
          key={row}
          className={classes.bones}
          style={{ gridTemplateColumns: plan.tracks }}
        >
          {plan.cells.map(({ column, className, style }) => (
            <div key={column.key} className={className} style={style}>
              <span className={classes.bone} style={{ width: skeletonWidths[column.kind] }} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

export function GridEmptyState({
  isFiltered,
  empty,
  onReset,
  onRegex,
}: {
  readonly isFiltered: boolean
  readonly empty: ComponentProps<typeof EmptyState> | undefined
  readonly onReset: () => void
  /** Searches for the same text as a regular expression; undefined unless it looks like one. */
  readonly onRegex: (() => void) | undefined
}) {
  const { t } = useTranslation()
  // Its buttons disappear with it, mostly back to the search field.
  useReturnFocus()
  return (
    <div className={classes.blank}>
      {isFiltered ? (
        <EmptyState
          icon={IconFilterOff}
          title={t('grid.noMatch')}
          hint={t('grid.noMatchHint')}
          action={
            <Group gap="xs" justify="center">
              {onRegex && <Button onClick={onRegex}>{t('grid.searchAsRegex')}</Button>}
              <Button variant="default" onClick={onReset}>
                {t('grid.reset')}
              </Button>
            </Group>
          }
        />
      ) : (
        <EmptyState icon={IconDatabaseOff} title={t('grid.empty')} {...empty} />
      )}
    </div>
  )
}
