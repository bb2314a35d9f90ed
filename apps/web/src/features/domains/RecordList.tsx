import { useTranslation } from 'react-i18next'
import styles from './domains.module.css'

export function RecordList({ records }: { readonly records: readonly string[] }) {
  const { t } = useTranslation()
  if (records.length === 0) return t('domains.records.none')
  return (
    <ul className={styles.records} translate="no">
      {records.map((record) => (
        <li key={record}>{record}</li>
      ))}
    </ul>
  )
}
