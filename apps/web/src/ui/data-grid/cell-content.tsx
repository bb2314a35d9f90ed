import { cellText } from '@kustos/contract/grid'
import type { ReactNode } from 'react'
import { StatusChip } from '../StatusChip.tsx'
import classes from './data-grid.module.css'
import type { ShownColumn } from './types.ts'

/** Widths in pixels, rather too large: a missing tag is counted in `+1`, one too many would be cut. */
const tagPadding = 20
const letterWidth = { sans: 7, mono: 7.4 }
const counterWidth = 34

/** How many tags fit a column, without measuring any. */
function countFitting(tags: readonly string[], width: number, mono: boolean): number {
  const each = mono ? letterWidth.mono : letterWidth.sans
  let left = width - 16
  for (const [index, tag] of tags.entries()) {
    left -= tag.length * each + tagPadding
    const needed = index === tags.length - 1 ? 0 : counterWidth
    if (left < needed) return Math.max(1, index)
  }
  return tags.length
}

function Tags({ tags, width, mono }: { tags: readonly string[]; width: number; mono: boolean }) {
  const count = countFitting(tags, width, mono)
  return (
    <>
      {tags.slice(0, count).map((tag) => (
        <span key={tag} className={classes.tag}>
          {tag}
        </span>
      ))}
      {count < tags.length && (
        <span className={classes.more} data-more="">
          +{tags.length - count}
        </span>
      )}
    </>
  )
}

/** The default content of a cell, without components because a screen has hundreds of cells. */
export function cellContent<Row>(column: ShownColumn<Row>, row: Row): ReactNode {
  const value = column.value(row)
  if (value === null || value === '') return null
  if (typeof value === 'object') {
    return value.length === 0 ? null : (
      <Tags tags={value} width={column.width} mono={column.isMonospaced === true} />
    )
  }
  const text = cellText(column, value)
  if (column.kind === 'status' || column.kind === 'select') {
    const option = column.options?.find((known) => known.value === value)
    if (option?.tone || column.kind === 'status')
      return <StatusChip tone={option?.tone ?? 'grey'} text={text} />
  }
  return text
}

/** A cell's tooltip: its `data-tip`, or what is cut off; null for none. */
export function cellTip<Row>(column: ShownColumn<Row>, row: Row, element: HTMLElement, language: string) {
  const tip = element.querySelector<HTMLElement>('[data-tip]')?.dataset.tip
  if (tip !== undefined) return tip
  const value = column.value(row)
  if (column.kind === 'bytes' && typeof value === 'number') {
    return new Intl.NumberFormat(language, { style: 'unit', unit: 'byte', unitDisplay: 'long' }).format(value)
  }
  const isCut = [element, ...element.querySelectorAll('span, a')].some(
    (part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0,
  )
  if (typeof value === 'object' && value !== null) {
    const hidden = element.querySelector('[data-more]') !== null || isCut
    return hidden ? value.join('\n') : null
  }
  const hasMoreLines = column.wraps && element.scrollHeight > element.clientHeight + 1
  return isCut || hasMoreLines ? cellText(column, value) : null
}
