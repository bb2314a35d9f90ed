import type { DomainExpiry } from '@kustos/contract/domains'
import { formatTime, type Tone } from '@kustos/contract/grid'
import { useTranslation } from 'react-i18next'
import { storedText } from '../../platform/message-text.ts'
import { FactList } from '../../ui/FactList.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { useNow } from '../../ui/use-now.ts'

const dayMs = 86_400_000

/** Registrars and registries may name other hours of a day. */
const isSameDay = (a: string, b: string) => Math.abs(Date.parse(a) - Date.parse(b)) < dayMs

export function ExpirySection({ expiry }: { readonly expiry: DomainExpiry }) {
  const { t } = useTranslation()
  const { expires_at: end, source, registry_expires_at: registry, auto_renew: renews } = expiry
  const reason = expiry.reason && storedText(expiry.reason, expiry.reason_code, expiry.reason_params)
  const facts = {
    [t('domains.expiry.date')]:
      end === null ? <StatusChip tone="grey" text={t('domains.expiry.unknown')} /> : <End end={end} />,
    [t('domains.expiry.source')]: source && t(`domains.expiry.sources.${source}`),
    [t('domains.expiry.registry')]:
      source === 'registrar' &&
      end !== null &&
      registry !== null &&
      (isSameDay(end, registry) ? t('domains.expiry.confirmed') : formatTime(registry)),
    [t('domains.expiry.reason')]: reason,
    [t('domains.expiry.renews')]:
      renews !== null && t(renews ? 'domains.expiry.automatic' : 'domains.expiry.manual'),
    [t('domains.expiry.registrar')]: expiry.registrar && <span translate="no">{expiry.registrar}</span>,
    [t('domains.expiry.checked')]:
      expiry.checked_at === null ? t('domains.never') : formatTime(expiry.checked_at),
  }
  return (
    <Section title={t('domains.expiry.title')}>
      <FactList facts={Object.entries(facts).filter(([, fact]) => Boolean(fact))} />
    </Section>
  )
}

function End({ end }: { readonly end: string }) {
  const { t } = useTranslation()
  const leftMs = Date.parse(end) - useNow(dayMs)
  const days = Math.floor(leftMs / dayMs)
  const tone: Tone = days < 7 ? 'red' : days < 30 ? 'orange' : 'green'
  const text = leftMs <= 0 ? t('domains.expiry.over') : t('domains.expiry.inDays', { count: days })
  return (
    <>
      {formatTime(end)} <StatusChip tone={tone} text={text} />
    </>
  )
}
