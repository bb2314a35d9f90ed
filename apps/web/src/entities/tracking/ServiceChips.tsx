import { Fragment } from 'react'
import { StatusChip } from '../../ui/StatusChip.tsx'

/** The services that a web requests before consent. */
export function ServiceChips({ names }: { readonly names: readonly string[] }) {
  return names.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && ' '}
      <StatusChip tone="red" text={name} />
    </Fragment>
  ))
}
