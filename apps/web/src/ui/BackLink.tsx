import { Anchor } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import styles from './BackLink.module.css'

export function BackLink({ to, label }: { readonly to: string; readonly label: string }) {
  return (
    <div>
      <Anchor component={Link} to={to} className={styles.back}>
        <IconArrowLeft size={16} aria-hidden="true" />
        {label}
      </Anchor>
    </div>
  )
}
