import type { ColumnKind } from '@kustos/contract/grid'
import { Button } from '@mantine/core'
import { IconDatabaseOff, IconFilterOff } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../EmptyState.tsx'
import classes from './data-grid.module.css'

const lengths: Readonly<Record<ColumnKind, string>> = {
  text: '70%',
  number: '40%',
  bytes: '60%',
  date: '85%',
  select: '50%',
  status: '60%',
  tags: '80%',
}

/** As many rows as a window shows, of the size that the rows will have. */
export function GridSkeleton({ kinds, pinnedEnd }: { kinds: readonly ColumnKind[]; pinnedEnd: boolean }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: 20 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={row} className={classes.bones}>
          {kinds.map((kind, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never move
            <div key={column} className={classes.cell}>
              <span className={classes.bone} style={{ width: lengths[kind] }} />
            </div>
          ))}
          {pinnedEnd && <div className={`${classes.cell} ${classes.pinnedEnd}`} />}
        </div>
      ))}
    </div>
  )
}

/** No rows: because there are none, or because none passes the filters. */
export function GridBlank({
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
