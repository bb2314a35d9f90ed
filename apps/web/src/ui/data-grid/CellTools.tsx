import { cellText } from '@kustos/contract/grid'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { lazy, type RefObject, Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { retryLoad } from '../../platform/load-code.ts'
import { cellTip } from './cell-content.tsx'
import classes from './data-grid.module.css'
import type { ShownColumn } from './types.ts'

const CellTip = lazy(() => retryLoad(() => import('./CellTip.tsx')))

interface Props<Row> {
  readonly table: RefObject<HTMLElement | null>
  /** Finds the data of a cell. The same function as long as rows and columns are the same. */
  readonly cellAt: (cell: HTMLElement) => { readonly row: Row; readonly column: ShownColumn<Row> } | null
}

type Outcome = 'copy' | 'copied' | 'copyRefused'

const tipDelayMs = 350
const dataCells = '[role=gridcell], [role=rowheader]'
const hosting = classes.hosting ?? ''

function makeHost(): HTMLElement {
  const host = document.createElement('span')
  host.className = classes.copyHost ?? ''
  return host
}

/** The copy icon and the tooltip of the hovered or focused cell, shared by all cells. */
export function CellTools<Row>({ table, cellAt }: Props<Row>) {
  const { t, i18n } = useTranslation()
  const [cell, setCell] = useState<HTMLElement | null>(null)
  const [outcome, setOutcome] = useState<Outcome>('copy')
  const [tip, setTip] = useState<string | null>(null)

  useEffect(() => {
    const element = table.current
    if (!element) return
    const onOver = ({ target }: Event) => {
      const stop = target instanceof Element ? target.closest<HTMLElement>('[data-stop]') : null
      setCell(stop?.matches(dataCells) ? stop : null)
    }
    const onFocus = (event: Event) => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) onOver(event)
    }
    const onLeave = () => {
      const focused = document.activeElement?.closest<HTMLElement>(dataCells)
      setCell(focused && element.contains(focused) && focused.matches(':focus-visible') ? focused : null)
    }
    const lifetime = new AbortController()
    const { signal } = lifetime
    element.addEventListener('pointerover', onOver, { signal })
    element.addEventListener('pointerleave', onLeave, { signal })
    element.addEventListener('focusin', onFocus, { signal })
    element.addEventListener('focusout', onLeave, { signal })
    return () => lifetime.abort()
  }, [table])

  useEffect(() => {
    setOutcome('copy')
    setTip(null)
    if (!cell) return
    const timer = setTimeout(() => {
      const data = cellAt(cell)
      setTip(data && cellTip(data.column, data.row, cell, i18n.language))
    }, tipDelayMs)
    return () => clearTimeout(timer)
  }, [cell, cellAt, i18n.language])

  // React does not know of the host, so cells remain plain text to it.
  const [host] = useState(makeHost)
  useLayoutEffect(() => {
    if (!cell) return
    cell.append(host)
    cell.classList.add(hosting)
    // A new value of the cell replaces all its children.
    const observer = new MutationObserver(() => {
      if (host.parentNode !== cell) cell.append(host)
    })
    observer.observe(cell, { childList: true })
    return () => {
      observer.disconnect()
      host.remove()
      cell.classList.remove(hosting)
    }
  }, [cell, host])

  if (!cell?.isConnected) return null
  const data = cellAt(cell)
  const text = data ? cellText(data.column, data.column.value(data.row)) : ''

  return (
    <>
      {text !== '' &&
        createPortal(
          <button
            type="button"
            className={`${classes.tool} ${classes.copy}`}
            data-copy=""
            tabIndex={-1}
            aria-label={t(`grid.${outcome}`)}
            title={t(`grid.${outcome}`)}
            onClick={() => {
              void copyText(text).then(setOutcome)
            }}
          >
            {outcome === 'copied' ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </button>,
          host,
        )}
      {tip !== null && (
        <Suspense>
          <CellTip key={cell.dataset.stop} cell={cell} tip={tip} />
        </Suspense>
      )}
    </>
  )
}

async function copyText(text: string): Promise<Outcome> {
  try {
    await navigator.clipboard.writeText(text)
    return 'copied'
  } catch {
    return 'copyRefused'
  }
}
