import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import classes from './data-grid.module.css'

/** A link in a cell. Tab skips it; Enter on the cell follows it. */
export function GridLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Link to={to} tabIndex={-1} data-main="" className={classes.link}>
      {children}
    </Link>
  )
}
