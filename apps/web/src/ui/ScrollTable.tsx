import { type MantineBreakpoint, Table, type TableProps } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './ScrollTable.module.css'

export interface TableColumn {
  readonly label: string
  readonly isNumber?: boolean
  readonly hint?: string
  readonly width?: string
  readonly visibleFrom?: MantineBreakpoint
}

interface Props extends Pick<TableProps, 'miw'> {
  readonly label: string
  readonly columns: readonly TableColumn[]
  /** Pixels; the rows scroll below the header. */
  readonly height?: number
  readonly children: ReactNode
}

/** A table that scrolls inside itself where it is too wide for the screen. */
export function ScrollTable({ label, columns, height, miw, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
    <section className={styles.scroller} style={{ height }} tabIndex={0} aria-label={label}>
      <Table className={styles.table} miw={miw} stickyHeader={height !== undefined}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ label: name, isNumber, hint, width, visibleFrom }) => (
              <Table.Th
                key={name}
                scope="col"
                title={hint}
                w={width}
                {...(visibleFrom && { visibleFrom })}
                className={isNumber ? styles.number : undefined}
              >
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </section>
  )
}
