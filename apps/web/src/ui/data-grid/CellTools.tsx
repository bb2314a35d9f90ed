import { Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import classes from './data-grid.module.css'

interface Props {
  readonly table: RefObject<HTMLElement | null>
  /** The text to copy; empty if the cell is. */
  readonly copyOf: (cell: HTMLElement) => string
  /** The tooltip; null for none. */
  readonly tipOf: (cell: HTMLElement) => string | null
}

type Outcome = 'copy' | 'copied' | 'copyRefused'

const tipDelay = 350

const hosting = classes.hosting ?? ''

function makeHost(): HTMLElement {
  const host = document.createElement('span')
  host.className = classes.copyHost ?? ''
  return host
}

/** The copy icon and the tooltip of the hovered or focused cell; one of each serves all cells. */
export function CellTools({ table, copyOf, tipOf }: Props) {
  const { t } = useTranslation()
  const [cell, setCell] = useState<HTMLElement | null>(null)
  const [outcome, setOutcome] = useState<Outcome>('copy')
  const [tip, setTip] = useState<string | null>(null)

  useEffect(() => {
    const element = table.current
    if (!element) return
    const find = (event: Event) => {
      const near = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-stop]') : null
      setCell(near?.matches('[role=gridcell], [role=rowheader]') ? near : null)
    }
    const focusedOr = () => {
      const focused = document.activeElement?.closest<HTMLElement>('[role=gridcell], [role=rowheader]')
      setCell(focused && element.contains(focused) && focused.matches(':focus-visible') ? focused : null)
    }
    const focused = (event: Event) => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) find(event)
    }
    const listening = new AbortController()
    const { signal } = listening
    element.addEventListener('pointerover', find, { signal })
    element.addEventListener('pointerleave', focusedOr, { signal })
    element.addEventListener('focusin', focused, { signal })
    element.addEventListener('focusout', focusedOr, { signal })
    return () => listening.abort()
  }, [table])

  useEffect(() => {
    setOutcome('copy')
    setTip(null)
    if (!cell) return
    const timer = setTimeout(() => setTip(tipOf(cell)), tipDelay)
    return () => clearTimeout(timer)
  }, [cell, tipOf])

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
  const text = copyOf(cell)

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
        <Tooltip
          key={cell.dataset.stop}
          target={cell}
          label={tip}
          opened
          portalProps={{ target: cell.closest<HTMLElement>('[data-density]') ?? document.body }}
          multiline
          maw={tip.length > 600 ? 'min(840px, 100vw - 32px)' : 420}
          position="bottom-start"
          styles={{ tooltip: { whiteSpace: 'pre-line', overflowWrap: 'anywhere', pointerEvents: 'none' } }}
        />
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
