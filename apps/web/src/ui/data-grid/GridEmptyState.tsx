import type { ColumnKind } from '@kustos/contract/grid'
import { Button } from '@mantine/core'
import { IconDatabaseOff, IconFilterOff } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../EmptyState.tsx'
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
}: {
  readonly isFiltered: boolean
  readonly empty: ComponentProps<typeof EmptyState> | undefined
  readonly onReset: () => void
}) {
  const { t } = useTranslation()
  return (
    <div className={classes.blank}>
      {isFiltered ? (
        <EmptyState
          icon={IconFilterOff}
          title={t('grid.noMatch')}
          hint={t('grid.noMatchHint')}
          action={
            <Button variant="default" onClick={onReset}>
              {t('grid.reset')}
            </Button>
          }
        />
      ) : (
        <EmptyState icon={IconDatabaseOff} title={t('grid.empty')} {...empty} />
      )}
    </div>
  )
}
