import { DownFor } from './DownFor.tsx'
import { HttpChip } from './HttpChip.tsx'
import styles from './ProbeState.module.css'

interface Props {
  /** Null if there was no response. */
  readonly status: number | null
  readonly downSince: string | null
}

/** The HTTP status of the latest probe, and how long the web has been down. */
export function ProbeState({ status, downSince }: Props) {
  return (
    <span className={styles.state}>
      {downSince !== null && <DownFor since={downSince} />}
      <HttpChip status={status} />
    </span>
  )
}
