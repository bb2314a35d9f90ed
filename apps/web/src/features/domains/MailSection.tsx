import {
  type DomainRecords,
  type MailSafety,
  mailStateOptions,
  type Severity,
} from '@kustos/contract/domains'
import { formatTime, type Tone } from '@kustos/contract/grid'
import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { domainPath } from '../../entities/domain/paths.ts'
import { storedText } from '../../platform/message-text.ts'
import { FactList } from '../../ui/FactList.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import styles from './domains.module.css'

const tones: Readonly<Record<Severity, Tone>> = {
  critical: 'red',
  warning: 'orange',
  unknown: 'grey',
  notice: 'grey',
}

export function MailSection({ domain: { fqdn, ascii, domain, mail } }: { readonly domain: DomainRecords }) {
  const { t } = useTranslation()
  const tone = mailStateOptions.find(({ value }) => value === mail?.state)?.tone ?? 'grey'
  return (
    <Section
      title={t('domains.mail.title')}
      hint={mail === null ? undefined : t('domains.mail.checked', { time: formatTime(mail.checked_at) })}
      beside={
        mail && <StatusChip tone={tone} text={t(`gridLabels.domains.options.mail_state.${mail.state}`)} />
      }
    >
      {mail !== null ? (
        <>
          <Findings mail={mail} />
          <Records mail={mail} name={ascii} />
        </>
      ) : domain === fqdn ? (
        <Text c="dimmed">{t('domains.mail.pending')}</Text>
      ) : (
        <Anchor component={Link} to={domainPath(domain)}>
          {t('domains.mail.ofDomain', { domain })}
        </Anchor>
      )}
    </Section>
  )
}

function Findings({ mail: { findings } }: { readonly mail: MailSafety }) {
  const { t } = useTranslation()
  if (findings.length === 0) return <Text>{t('domains.mail.fine')}</Text>
  return (
    <ul className={styles.findings} aria-label={t('domains.mail.todo')}>
      {findings.map((finding) => {
        const advice = storedText(finding.advice, finding.advice_code, finding.advice_params)
        return (
          <li key={advice}>
            <StatusChip
              tone={tones[finding.severity]}
              text={t(`domains.mail.severities.${finding.severity}`)}
            />
            <span>{advice}</span>
          </li>
        )
      })}
    </ul>
  )
}

function Records({ mail, name }: { readonly mail: MailSafety; readonly name: string }) {
  const { t } = useTranslation()
  const { spf, dmarc, dkim, mx } = mail
  const none = t('domains.mail.none')
  const facts: Readonly<Record<string, ReactNode>> = {
    [t('domains.mail.spf')]: (
      <>
        <Record text={spf.record} />
        {spf.lookups !== null && <Text c="dimmed">{t('domains.mail.lookups', { count: spf.lookups })}</Text>}
      </>
    ),
    [t('domains.mail.dmarc')]: (
      <>
        <Record text={dmarc.record} />
        <Text c="dimmed">
          {[
            dmarc.policy !== null && t('domains.mail.policy', { policy: dmarc.policy }),
            dmarc.domain !== null &&
              dmarc.domain !== name &&
              t('domains.mail.from', { domain: dmarc.domain }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </>
    ),
    [t('domains.mail.dkim')]:
      dkim.length === 0
        ? none
        : dkim
            .map(({ selector, type, bits }) =>
              [selector, type, bits !== null && t('domains.mail.bits', { bits })].filter(Boolean).join(' '),
            )
            .join(', '),
    [t('domains.mail.mx')]: mx.length === 0 ? none : <Record text={mx.join('\n')} />,
  }
  return <FactList facts={Object.entries(facts)} />
}

function Record({ text }: { readonly text: string | null }) {
  const { t } = useTranslation()
  return text === null ? t('domains.mail.none') : <code className={styles.record}>{text}</code>
}
