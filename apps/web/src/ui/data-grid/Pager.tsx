import { type PageSize, pageSizes } from '@kustos/contract/grid'
import { NativeSelect, Pagination } from '@mantine/core'
import { memo, useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './data-grid.module.css'
import type { ChangeGrid } from './use-grid-state.ts'

interface Props {
  readonly page: number
  readonly size: PageSize
  readonly total: number
  /** Without filters; undefined while loading. */
  readonly all: number | undefined
  /** Whether the totals are of the loaded rows only. */
  readonly hasMore: boolean
  readonly change: ChangeGrid
}

export const Pager = memo(function Pager({ page, size, total, all, hasMore, change }: Props) {
  const { t } = useTranslation()
  const from = (page - 1) * size + 1
  const to = Math.min(total, from + size - 1)
  const pages = Math.max(1, Math.ceil(total / size))
  return (
    <div className={classes.foot}>
      <span aria-live="polite">
        {all !== undefined &&
          (total === 0
            ? t('grid.rangeNone', { total: all })
            : t(hasMore ? 'grid.rangeLoaded' : 'grid.range', { from, to, total }))}
      </span>
      <Sizes size={size} change={change} />
      {/* Rows are rendered first. */}
      <Pages page={useDeferredValue(page)} pages={useDeferredValue(pages)} change={change} />
    </div>
  )
})

const Sizes = memo(function Sizes({ size, change }: Pick<Props, 'size' | 'change'>) {
  const { t } = useTranslation()
  return (
    <span className={classes.sizes}>
      <NativeSelect
        size="xs"
        aria-label={t('grid.pageSize')}
        value={String(size)}
        data={sizeOptions}
        onChange={({ currentTarget: { value } }) =>
          change({ size: pageSizes.find((size) => String(size) === value) ?? 50 })
        }
      />
      <span aria-hidden="true">{t('grid.perPage')}</span>
    </span>
  )
})

const sizeOptions = pageSizes.map(String)
const controlNames = {
  first: 'firstPage',
  previous: 'previousPage',
  next: 'nextPage',
  last: 'lastPage',
} as const

const Pages = memo(function Pages(props: { page: number; pages: number; change: ChangeGrid }) {
  const { t } = useTranslation()
  return (
    <Pagination
      size="sm"
      value={props.page}
      total={props.pages}
      onChange={(page) => props.change({ page })}
      aria-label={t('grid.pages')}
      getControlProps={(control) => ({ 'aria-label': t(`grid.${controlNames[control]}`) })}
      getItemProps={(page) => ({ 'aria-label': t('grid.page', { page }) })}
    />
  )
})
