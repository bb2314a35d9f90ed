import { IconCheck } from '@tabler/icons-react'

/** Stands before the chosen one of several items. */
export const Mark = ({ isCurrent }: { readonly isCurrent: boolean }) => (
  <IconCheck size={16} aria-hidden="true" style={{ visibility: isCurrent ? 'visible' : 'hidden' }} />
)
