import type { ReactNode } from 'react'
import classes from './data-grid.module.css'

interface Props {
  readonly onClick: () => void
  readonly children: ReactNode
}

/** A command in a cell that looks like a link, such as the name of what it opens. Tab skips it; Enter on the cell runs it. */
export function GridButton({ onClick, children }: Props) {
  return (
    <button type="button" tabIndex={-1} data-main="" className={classes.button} onClick={onClick}>
      {/* The cell's tooltip shows what is cut off of it. */}
      <span className={classes.link}>{children}</span>
    </button>
  )
}
