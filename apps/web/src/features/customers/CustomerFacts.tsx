import type { CustomerDetails } from '@kustos/contract/customers'
import { formatTime } from '@kustos/contract/grid'
import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { channelNames } from '../../entities/customer/AlertChannels.tsx'
import { TagList } from '../../entities/tag/TagList.tsx'
import { FactList } from '../../ui/FactList.tsx'
import pageStyles from '../../ui/page-sections.module.css'
import { Section } from '../../ui/Section.tsx'
import styles from './customers.module.css'

export function CustomerFacts({ customer }: { readonly customer: CustomerDetails }) {
  const { t } = useTranslation()
  const { columns } = t('gridLabels.customers', { returnObjects: true })
  const labels = t('customers.fields', { returnObjects: true })
  const { contacts, spellings, alert_channels: channels } = customer
  const missing = (
    <Text span c="dimmed">
      –
    </Text>
  )
  const text = (value: string | null) =>
    value === null ? missing : <div className={pageStyles.text}>{value}</div>
  return (
    <Section title={t('customers.parts.facts')}>
      <FactList
        facts={[
          [
            labels.contacts,
            contacts.length === 0 ? missing : <Contacts key="contacts" contacts={contacts} />,
          ],
          [
            columns.tags,
            customer.tags.length === 0 ? (
              missing
            ) : (
              <TagList key="tags" tags={customer.tags} list="customers" />
            ),
          ],
          [labels.notes, text(customer.notes)],
          [labels.contract_notes, text(customer.contract_notes)],
          [columns.alert_channels, text(channelNames(channels, t) || null)],
          ...(spellings.length === 0 ? [] : [[t('logs.fields.spellings'), spellings.join(', ')] as const]),
          [columns.created_at, formatTime(customer.created_at)],
          [columns.updated_at, formatTime(customer.updated_at)],
        ]}
      />
    </Section>
  )
}

function Contacts({ contacts }: Pick<CustomerDetails, 'contacts'>) {
  return (
    <ul className={styles.contacts}>
      {contacts.map(({ name, role, email, phone }) => (
        <li key={`${name} ${email} ${phone}`}>
          {[name, role].filter(Boolean).join(', ')}
          {email !== null && (
            <>
              {' · '}
              <Anchor href={`mailto:${encodeURIComponent(email)}`}>{email}</Anchor>
            </>
          )}
          {phone !== null && ` · ${phone}`}
        </li>
      ))}
    </ul>
  )
}
