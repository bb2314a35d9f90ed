import type { Column } from '@kustos/contract/grid'
import { Checkbox, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './data-grid.module.css'

interface Props<Row> {
  readonly column: Column<Row>
  readonly occurring: readonly string[]
  readonly selected: readonly string[]
  readonly onChange: (selected: readonly string[]) => void
}

/** With more values there is a search field. */
const maxWithoutSearch = 8
const maxShown = 100

/** Checkboxes for a column's options and the values in its rows. */
export function OptionList<Row>({ column, occurring, selected, onChange }: Props<Row>) {
  const { t, i18n } = useTranslation()
  const [search, setSearch] = useState('')
  const all = useMemo(() => {
    const labels = new Map(column.options?.map((option) => [option.value, option.label]))
    for (const value of [...occurring, ...selected]) if (!labels.has(value)) labels.set(value, value)
    const { compare } = new Intl.Collator(i18n.language, { numeric: true })
    return [...labels].sort(([, a], [, b]) => compare(a, b)).map(([value, label]) => ({ value, label }))
  }, [column, occurring, selected, i18n.language])
  const needle = search.trim().toLowerCase()
  const found = all.filter(({ label }) => label.toLowerCase().includes(needle))
  const rest = found.length - maxShown

  return (
    <>
      {all.length > maxWithoutSearch && (
        <TextInput
          size="xs"
          data-autofocus
          aria-label={t('grid.findValue')}
          placeholder={t('grid.findValue')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <div className={classes.values}>
        {found.slice(0, maxShown).map(({ value, label }) => (
          <Checkbox
            key={value}
            size="xs"
            label={label}
            checked={selected.includes(value)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked
                  ? [...selected, value]
                  : selected.filter((other) => other !== value),
              )
            }
          />
        ))}
        {rest > 0 && <span className={classes.panelHint}>{t('grid.moreValues', { count: rest })}</span>}
        {all.length === 0 && <span className={classes.panelHint}>{t('grid.noValues')}</span>}
      </div>
    </>
  )
}
