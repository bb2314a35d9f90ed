import { Button } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconArrowsDiff, IconArrowsMinimize } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './data-grid.module.css'

interface Props {
  readonly column: string
  readonly width: number
  /** Keys of the neighbours. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly onResize: (column: string, width: number) => void
  readonly onMove: (column: string, target: string) => void
}

const step = 40

/** Moves and resizes a column without dragging. */
export const ColumnTools = memo(function ColumnTools({ column, width, ...props }: Props) {
  const { before, after, onResize, onMove } = props
  const { t } = useTranslation()
  const tools = [
    { name: 'moveLeft', icon: IconArrowLeft, run: before && (() => onMove(column, before)) },
    { name: 'moveRight', icon: IconArrowRight, run: after && (() => onMove(column, after)) },
    { name: 'narrower', icon: IconArrowsMinimize, run: () => onResize(column, width - step) },
    { name: 'wider', icon: IconArrowsDiff, run: () => onResize(column, width + step) },
  ] as const
  return (
    <div className={classes.columnTools}>
      {tools.map(({ name, icon: Icon, run }) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          justify="start"
          leftSection={<Icon size={14} />}
          disabled={!run}
          onClick={run || undefined}
        >
          {t(`grid.${name}`)}
        </Button>
      ))}
    </div>
  )
})
