import type { Column } from '@kustos/contract/grid'
import { Checkbox, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './data-grid.module.css'

interface Props<Row> {
  readonly column: Column<Row>
  readonly occurring: readonly string[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** The number of values from which there is a search field, and the maximum that is shown. */
const few = 8
const many = 100

/** Lets the user choose from a column's options and the values that occur. */
export function OptionList<Row>({ column, occurring, chosen, onChange }: Props<Row>) {
  const { t, i18n } = useTranslation()
  const [wanted, setWanted] = useState('')
  const all = useMemo(() => {
    const labels = new Map(column.options?.map((option) => [option.value, option.label]))
    for (const value of [...occurring, ...chosen]) if (!labels.has(value)) labels.set(value, value)
    const { compare } = new Intl.Collator(i18n.language, { numeric: true })
    return [...labels].sort(([, a], [, b]) => compare(a, b)).map(([value, label]) => ({ value, label }))
  }, [column, occurring, chosen, i18n.language])
  const needle = wanted.trim().toLowerCase()
  const found = all.filter(({ label }) => label.toLowerCase().includes(needle))
  const rest = found.length - many

  return (
    <>
      {all.length > few && (
        <TextInput
          size="xs"
          data-autofocus
          aria-label={t('grid.findValue')}
          placeholder={t('grid.findValue')}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      <div className={classes.values}>
        {found.slice(0, many).map(({ value, label }) => (
          <Checkbox
            key={value}
            size="xs"
            label={label}
            checked={chosen.includes(value)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked ? [...chosen, value] : chosen.filter((other) => other !== value),
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
