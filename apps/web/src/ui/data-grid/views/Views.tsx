import { createPortal } from 'react-dom'
import { useViewControl, type ViewControlOptions } from './use-view-control.ts'
import { ViewBar } from './ViewBar.tsx'
import { ViewNotes } from './ViewNotes.tsx'

interface Props<Row> {
  readonly options: ViewControlOptions<Row>
  /** Where the notes about the open view are shown. */
  readonly notes: HTMLElement
}

/** The views of a list. Not in the first load, since rows come first. */
export function Views<Row>({ options, notes }: Props<Row>) {
  const control = useViewControl(options)
  return (
    control && (
      <>
        <ViewBar control={control} />
        {createPortal(<ViewNotes control={control} />, notes)}
      </>
    )
  )
}
