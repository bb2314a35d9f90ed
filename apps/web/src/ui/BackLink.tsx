import { Anchor } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import styles from './BackLink.module.css'

interface Props {
  readonly to: string
  readonly label: string
}

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
