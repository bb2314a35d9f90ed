import type { ColumnSet } from '@kustos/contract/grid'
import { memo, type ReactNode } from 'react'
import { PageHeader } from '../PageHeader.tsx'
import { ColumnsMenu, SetsOn } from './ColumnsMenu.tsx'
import type { GridView } from './types.ts'
import type { Density } from './use-layout.ts'

interface Props {
  readonly title: string
  readonly toolbar: ((view: GridView) => ReactNode) | undefined
  readonly view: GridView
  readonly all: readonly ColumnSet[]
  readonly sets: readonly string[]
  readonly onToggle: (key: string) => void
  readonly density: Density
  readonly onDensity: (density: Density) => void
  readonly onRestore: (() => void) | undefined
}

export const GridHeading = memo(function GridHeading({ title, toolbar, view, sets, ...menu }: Props) {
  return (
    <PageHeader
      title={title}
      actions={
        <>
          <SetsOn value={sets}>
            <ColumnsMenu {...menu} />
          </SetsOn>
          {toolbar?.(view)}
        </>
      }
    />
  )
})
