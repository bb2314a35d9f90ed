import { Anchor } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import styles from './BackLink.module.css'

interface Props {
  /** The list, as it was left. */
  readonly to: string
  readonly label: string
}

/** The way back to the list that a screen was opened from. */
export function BackLink({ to, label }: Props) {
  return (
    <div>
      <Anchor component={Link} to={to} className={styles.back}>
        <IconArrowLeft size={16} aria-hidden="true" />
        {label}
      </Anchor>
    </div>
  )
}
