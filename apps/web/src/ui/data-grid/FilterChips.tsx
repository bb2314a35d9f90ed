import type { Column, ColumnFilter, Condition, GridState } from '@kustos/contract/grid'
import { Button, Pill } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './data-grid.module.css'
import { activeConditions, describeCondition } from './describe-condition.ts'
import type { ChangeGrid } from './use-grid-state.ts'

interface Props<Row> {
  readonly state: GridState
  readonly columns: readonly Column<Row>[]
  readonly change: ChangeGrid
}

/** Removing a filter moves the focus to the next one. */
const takesFocus = { 'data-focus-fallback': '' } as const

const without = (filters: readonly ColumnFilter[], from: ColumnFilter, condition: Condition) =>
  filters.flatMap((filter) => {
    if (filter !== from) return filter
    const conditions = filter.conditions.filter((other) => other !== condition)
    return conditions.length === 0 ? [] : { ...filter, conditions }
  })

/** The active filters, each removable, and a button that resets them. */
function FilterChipsPlain<Row>({ state, columns, change }: Props<Row>) {
  const { t } = useTranslation()
  const { search, regex, filters } = state
  const chips: { key: string; text: string; remove: () => void }[] = []
  if (search.trim() !== '') {
    const text = regex ? `/${search}/` : search
    chips.push({ key: 'search', text: t('grid.searchChip', { text }), remove: () => change({ search: '' }) })
  }
  for (const filter of filters) {
    const column = columns.find((known) => known.key === filter.column)
    if (!column) continue
    for (const [index, condition] of activeConditions(column, filter).entries()) {
      const description = describeCondition(t, column, condition)
      chips.push({
        key: `${filter.column}:${index}`,
        text: index > 0 && filter.join === 'any' ? t('grid.or', { condition: description }) : description,
        remove: () => change({ filters: without(filters, filter, condition) }),
      })
    }
  }
  if (chips.length === 0) return null
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are buttons. */}
      <div role="group" className={classes.chips} aria-label={t('grid.activeFilters')}>
        {chips.map(({ key, text, remove }) => (
          <Pill
            key={key}
            withRemoveButton
            onRemove={remove}
            title={text}
            removeButtonProps={{
              'aria-label': t('grid.removeChip', { text }),
              'aria-hidden': false,
              tabIndex: 0,
              ...takesFocus,
            }}
          >
            {text}
          </Pill>
        ))}
      </div>
      <Button
        className={classes.end}
        size="xs"
        variant="subtle"
        leftSection={<IconFilterOff size={16} />}
        onClick={() => change({ search: '', filters: [] })}
      >
        {t('grid.reset')}
      </Button>
    </>
  )
}

export const FilterChips = memo(FilterChipsPlain) as typeof FilterChipsPlain
