import { certificatesRoutes, type WebCertificate } from '@kustos/contract/certificates'
import { formatTime, type Tone } from '@kustos/contract/grid'
import { Button, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { displayHost } from '../../entities/tracking/display-host.ts'
import { certificateLeft } from '../../entities/web/certificate.ts'
import { storedText } from '../../platform/message-text.ts'
import { useRoute } from '../../platform/query.ts'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './web-page.module.css'

const initialCount = 10

/** What each name of a web showed when it was last checked, those that need attention first. */
export function CertificatesSection({ id }: { readonly id: string }) {
  const { t, i18n } = useTranslation()
  const now = useNow(60_000)
  const query = useRoute(certificatesRoutes.listWebCertificates, { params: { id } })
  const latest = query.data?.data
    .map(({ checked_at }) => checked_at)
    .sort()
    .at(-1)
  return (
    <Section
      title={t('webPage.certificates.title')}
      hint={
        latest === undefined
          ? undefined
          : t('webPage.certificates.checked', { time: timeAgo(latest, now, i18n.language) })
      }
    >
      <QueryState query={query} skeleton={<Skeleton h={48} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">{t('webPage.certificates.none')}</Text>
          ) : (
            <NameList names={data} now={new Date(now)} />
          )
        }
      </QueryState>
    </Section>
  )
}

function NameList({ names, now }: { readonly names: readonly WebCertificate[]; readonly now: Date }) {
  const { t } = useTranslation()
  const [showsAll, setAll] = useState(false)
  const isBad = ({ wrong_since, ipv6 }: WebCertificate) => wrong_since !== null || ipv6.state === 'failing'
  const sorted = names.toSorted((a, b) => Number(isBad(b)) - Number(isBad(a)))
  return (
    <>
      <ul className={styles.names}>
        {sorted.slice(0, showsAll ? names.length : initialCount).map((one) => (
          <NameRow key={one.name} one={one} now={now} />
        ))}
      </ul>
      {!showsAll && names.length > initialCount && (
        <Button variant="default" onClick={() => setAll(true)} style={{ alignSelf: 'flex-start' }}>
          {t('webPage.all', { count: names.length })}
        </Button>
      )}
    </>
  )
}

const tones: Readonly<Record<WebCertificate['state'], Tone>> = {
  valid: 'green',
  expired: 'red',
  not_yet_valid: 'red',
  wrong_name: 'red',
  untrusted: 'red',
  replaced: 'orange',
  missing: 'grey',
  unreachable: 'grey',
  elsewhere: 'grey',
  unresolved: 'grey',
}

function NameRow({ one, now }: { readonly one: WebCertificate; readonly now: Date }) {
  const { t } = useTranslation()
  const { name, kind, state, certificate, ipv6 } = one
  const left =
    certificate === null ? null : certificateLeft(certificate.valid_from, certificate.valid_to, now)
  const isEnding = state === 'valid' && left !== null && left.tone !== null
  const reason = one.reason === null ? null : storedText(one.reason, one.reason_code, one.reason_params)
  const isReasonShown = reason !== null && (state === 'untrusted' || state === 'unreachable')
  return (
    <li>
      <span className={styles.mono}>{displayHost(name)}</span>
      <span className={styles.note}>{t(`webPage.certificates.kinds.${kind}`)}</span>
      <span className={styles.marked}>
        {isEnding ? (
          <StatusChip
            tone={left.tone ?? 'grey'}
            text={t('webPage.certificates.left', { count: Math.max(0, left.days) })}
          />
        ) : (
          <StatusChip tone={tones[state]} text={t(`webPage.certificates.states.${state}`)} />
        )}
        {ipv6.state === 'failing' && (
          <StatusChip tone="orange" text={t('webPage.certificates.ipv6.failing')} />
        )}
        {ipv6.state === 'unknown' && (
          <span className={styles.note}>{t('webPage.certificates.ipv6.unknown')}</span>
        )}
      </span>
      <span className={styles.details}>
        {certificate !== null && (
          <span title={`${formatTime(certificate.valid_to)}\nSHA-256 ${certificate.fingerprint}`}>
            {t('webPage.certificates.until', {
              date: formatTime(certificate.valid_to).slice(0, 10),
              issuer: certificate.authority,
            })}
          </span>
        )}
        {isReasonShown && <span>{reason}</span>}
        {ipv6.state === 'failing' && ipv6.reason !== null && (
          <span>IPv6: {storedText(ipv6.reason, ipv6.reason_code, ipv6.reason_params)}</span>
        )}
      </span>
    </li>
  )
}
