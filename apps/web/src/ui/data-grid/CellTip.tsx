import { Tooltip } from '@mantine/core'

/** The tooltip of a cell. Loaded after the grid. */
export default function CellTip({ cell, tip }: { readonly cell: HTMLElement; readonly tip: string }) {
  return (
    <Tooltip
      target={cell}
      label={tip}
      opened
      portalProps={{ target: cell.closest<HTMLElement>('[data-density]') ?? document.body }}
      multiline
      maw={tip.length > 600 ? 'min(840px, 100vw - 32px)' : 420}
      position="bottom-start"
      styles={{ tooltip: { whiteSpace: 'pre-line', overflowWrap: 'anywhere', pointerEvents: 'none' } }}
    />
  )
}
