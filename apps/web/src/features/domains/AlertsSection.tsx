import { type DnsType, type DomainRecords, dnsTypes, domainsRoutes } from '@kustos/contract/domains'
import { Checkbox, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { write } from '../../platform/query.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { Section } from '../../ui/Section.tsx'

const { editDomainAlerts, readDomainRecords } = domainsRoutes

/** Saved with each tick. */
export function AlertsSection({ domain }: { readonly domain: DomainRecords }) {
  const { fqdn, muted_types: muted, unalerted_types: unalerted } = domain
  const { t } = useTranslation()
  const [saving, setSaving] = useState<DnsType | null>(null)

  async function toggle(type: DnsType) {
    setSaving(type)
    const changed = muted.includes(type) ? muted.filter((one) => one !== type) : [...muted, type]
    await notifyOutcome(fqdn, t('domains.alerts.saved'), () =>
      write(editDomainAlerts, { params: { fqdn }, body: { muted_types: changed, base_types: muted } }, [
        readDomainRecords,
      ]),
    )
    setSaving(null)
  }

  return (
    <Section title={t('domains.alerts.title')}>
      <Text c="dimmed">
        {t('domains.alerts.hint')}
        {unalerted.length > 0 && ` ${t('domains.alerts.leftOut', { types: unalerted.join(', ') })}`}
      </Text>
      <Group gap="md">
        {dnsTypes.map((type) => (
          <Checkbox
            key={type}
            label={type}
            checked={!muted.includes(type) && !unalerted.includes(type)}
            disabled={saving !== null || unalerted.includes(type)}
            onChange={() => void toggle(type)}
          />
        ))}
      </Group>
    </Section>
  )
}
