import { formatTime } from '@kustos/contract/grid'
import type { WebSummary } from '@kustos/contract/web-summary'
import { Anchor, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { certificateLeft } from './certificate.ts'
import { webPath } from './paths.ts'
import styles from './web-summaries.module.css'

const initialCount = 10

/** The certificates that should be renewed by now, those that end first at the top. */
export function EndingCertificates({ webs }: { readonly webs: readonly WebSummary[] }) {
  const { t } = useTranslation()
  const [isAll, setAll] = useState(false)
  const now = new Date()
  const ending = webs
    .flatMap(({ id, fqdn, cert_from: from, cert_expiration: end }) => {
      const { days, tone } = end === null ? { days: 0, tone: null } : certificateLeft(from, end, now)
      return end === null || tone === null ? [] : [{ id, fqdn, end, days, tone }]
    })
    .sort((a, b) => a.days - b.days)
  const shown = isAll ? ending : ending.slice(0, initialCount)
  return (
    <Section
      title={t('customers.certificates.title')}
      hint={ending.length === 0 ? undefined : String(ending.length)}
    >
      {ending.length === 0 ? (
        <Text c="dimmed">{t('customers.certificates.none')}</Text>
      ) : (
        <ul className={styles.ending}>
          {shown.map(({ id, fqdn, end, days, tone }) => (
            <li key={id}>
              <Anchor component={Link} to={webPath(id)} inherit className={styles.host}>
                {fqdn}
              </Anchor>
              <span title={formatTime(end)}>
                <StatusChip
                  tone={tone}
                  text={days < 0 ? t('webs.certificate.ended') : t('webs.certificate.days', { count: days })}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
      {shown.length < ending.length && (
        <Button variant="default" onClick={() => setAll(true)} style={{ alignSelf: 'flex-start' }}>
          {t('webPage.all', { count: ending.length })}
        </Button>
      )}
    </Section>
  )
}
