import { compileRegex } from '@kustos/contract/grid'
import { ActionIcon, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { memo, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { usePlainKey } from '../use-plain-key.ts'
import classes from './data-grid.module.css'
import type { ChangeGrid } from './use-grid-state.ts'

interface Props {
  readonly search: string
  readonly regex: boolean
  readonly change: ChangeGrid
}

/** Searches all visible columns. `/` focuses it from anywhere on the screen, Escape clears it. */
export const SearchField = memo(function SearchField({ search, regex, change }: Props) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  const hint = useId()
  const isBad = regex && search !== '' && compileRegex(search) === null

  usePlainKey('/', () => field.current?.select())

  return (
    <>
      <TextInput
        ref={field}
        type="search"
        data-focus-fallback=""
        className={classes.search}
        aria-label={t('grid.search')}
        aria-describedby={hint}
        aria-keyshortcuts="/"
        placeholder={t('grid.searchPlaceholder')}
        leftSection={<IconSearch size={16} />}
        rightSectionWidth={38}
        rightSection={
          <ActionIcon
            size={24}
            variant={regex ? 'light' : 'subtle'}
            color={regex ? 'teal' : 'gray'}
            aria-pressed={regex}
            aria-label={t('grid.regex')}
            title={t('grid.regex')}
            onClick={() => change({ regex: !regex })}
          >
            <span className={classes.regex}>.*</span>
          </ActionIcon>
        }
        value={search}
        error={isBad}
        onChange={(event) => change({ search: event.currentTarget.value }, 'search')}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || search === '') return
          event.preventDefault()
          change({ search: '' }, 'search')
        }}
      />
      <span id={hint} className={classes.hint} data-error={isBad || undefined}>
        {t(isBad ? 'grid.badRegex' : 'grid.regexHint')}
      </span>
    </>
  )
})
