import { Anchor } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { listAddress } from './list-address.ts'
import styles from './webs.module.css'

/** To the list, as it was left. */
export function BackLink() {
  const { t } = useTranslation()
  return (
    <div>
      <Anchor component={Link} to={listAddress()} className={styles.back}>
        <IconArrowLeft size={16} aria-hidden="true" />
        {t('webs.form.back')}
      </Anchor>
    </div>
  )
}
