import { type ColumnFilter, type Condition, maxConditions, operatorsOf } from '@kustos/contract/grid'
import { Button, Divider, Group, Popover, SegmentedControl, Text } from '@mantine/core'
import {
  IconArrowLeft,
  IconArrowRight,
  IconArrowsDiff,
  IconArrowsMinimize,
  IconPlus,
} from '@tabler/icons-react'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConditionFields } from './ConditionFields.tsx'
import classes from './data-grid.module.css'
import { type AnchorRect, OverlayAnchor } from './OverlayAnchor.tsx'
import type { ShownColumn } from './types.ts'
import type { EditedInputId } from './use-grid-state.ts'

interface Props<Row> {
  readonly anchor: AnchorRect
  readonly column: ShownColumn<Row>
  readonly filter: ColumnFilter | undefined
  readonly values: () => readonly string[]
  /** Undefined removes the column's filter. */
  readonly onChange: (filter: ColumnFilter | undefined, typing: EditedInputId) => void
  readonly onClose: () => void
  readonly tools: Omit<ColumnToolsProps, 'column' | 'width'>
}

/** A column's conditions, applied as they are typed, and buttons that move and resize it. */
export function FilterPopover<Row>(props: Props<Row>) {
  const { anchor, column, filter, onChange, onClose } = props
  const { t } = useTranslation()
  const [first = 'contains'] = operatorsOf(column.kind)
  const fresh: Condition = { operator: first, values: [] }
  const [occurring] = useState(() =>
    column.kind === 'select' || column.kind === 'status' || column.kind === 'tags' ? props.values() : [],
  )
  const join = filter?.join ?? 'all'
  const conditions = filter && filter.conditions.length > 0 ? filter.conditions : [fresh]

  const setConditions = (next: readonly Condition[], typing: EditedInputId = null) =>
    onChange(next.length === 0 ? undefined : { column: column.key, join, conditions: next }, typing)

  return (
    <Popover
      opened
      onDismiss={onClose}
      position="bottom-end"
      offset={4}
      trapFocus
      withRoles={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <OverlayAnchor rect={anchor} />
      </Popover.Target>
      <Popover.Dropdown
        role="dialog"
        aria-label={t('grid.filter', { column: column.label })}
        className={classes.panel}
        p="sm"
      >
        {conditions.length > 1 && (
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label={t('grid.join')}
            value={join}
            data={[
              { value: 'all', label: t('grid.joins.all') },
              { value: 'any', label: t('grid.joins.any') },
            ]}
            onChange={(value) =>
              onChange({ column: column.key, join: value === 'any' ? 'any' : 'all', conditions }, null)
            }
          />
        )}
        {conditions.map((condition, index) => (
          <ConditionFields
            // Conditions are identified by their position.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={index}
            column={column}
            condition={condition}
            occurring={occurring}
            onChange={(next, isTyped) =>
              setConditions(
                conditions.map((other, at) => (at === index ? next : other)),
                isTyped ? `filter:${column.key}:${index}` : null,
              )
            }
            onRemove={
              filter === undefined
                ? undefined
                : () => setConditions(conditions.filter((_, at) => at !== index))
            }
          />
        ))}
        {column.kind === 'text' && <span className={classes.panelHint}>{t('grid.regexHint')}</span>}
        <Group justify="space-between" gap="xs">
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            disabled={conditions.length >= maxConditions}
            onClick={() => setConditions([...conditions, fresh])}
          >
            {t('grid.addCondition')}
          </Button>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            disabled={filter === undefined}
            onClick={() => onChange(undefined, null)}
          >
            {t('grid.clearFilter')}
          </Button>
        </Group>
        <Divider label={<Text size="xs">{t('grid.column')}</Text>} labelPosition="left" />
        <ColumnTools column={column.key} width={column.width} {...props.tools} />
      </Popover.Dropdown>
    </Popover>
  )
}

interface ColumnToolsProps {
  readonly column: string
  readonly width: number
  /** Keys of the neighbours. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly onResize: (column: string, width: number) => void
  readonly onMove: (column: string, target: string) => void
}

const stepPx = 40

/** Moves and resizes a column without dragging. */
const ColumnTools = memo(function ColumnTools({ column, width, ...props }: ColumnToolsProps) {
  const { before, after, onResize, onMove } = props
  const { t } = useTranslation()
  const tools = [
    { name: 'moveLeft', icon: IconArrowLeft, run: before && (() => onMove(column, before)) },
    { name: 'moveRight', icon: IconArrowRight, run: after && (() => onMove(column, after)) },
    { name: 'narrower', icon: IconArrowsMinimize, run: () => onResize(column, width - stepPx) },
    { name: 'wider', icon: IconArrowsDiff, run: () => onResize(column, width + stepPx) },
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
