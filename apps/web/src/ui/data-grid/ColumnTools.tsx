import { Button } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconArrowsDiff, IconArrowsMinimize } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './data-grid.module.css'

interface Props {
  readonly column: string
  /** In pixels. */
  readonly width: number
  /** The keys of its neighbours, undefined at either end. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly onResize: (column: string, width: number) => void
  readonly onMove: (column: string, target: string) => void
}

const look = { size: 'xs', variant: 'default', justify: 'start' } as const
const step = 40

/** A column's place and width, without dragging. */
export const ColumnTools = memo(function ColumnTools({ column, width, ...props }: Props) {
  const { before, after, onResize, onMove } = props
  const { t } = useTranslation()
  return (
    <div className={classes.columnTools}>
      <Button
        {...look}
        leftSection={<IconArrowLeft size={14} />}
        disabled={before === undefined}
        onClick={() => before !== undefined && onMove(column, before)}
      >
        {t('grid.moveLeft')}
      </Button>
      <Button
        {...look}
        leftSection={<IconArrowRight size={14} />}
        disabled={after === undefined}
        onClick={() => after !== undefined && onMove(column, after)}
      >
        {t('grid.moveRight')}
      </Button>
      <Button
        {...look}
        leftSection={<IconArrowsMinimize size={14} />}
        onClick={() => onResize(column, width - step)}
      >
        {t('grid.narrower')}
      </Button>
      <Button
        {...look}
        leftSection={<IconArrowsDiff size={14} />}
        onClick={() => onResize(column, width + step)}
      >
        {t('grid.wider')}
      </Button>
    </div>
  )
})
