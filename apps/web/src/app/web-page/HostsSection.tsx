import { domainsRoutes } from '@kustos/contract/domains'
import type { Web } from '@kustos/contract/webs'
import { Anchor, Button, Skeleton, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { domainPath } from '../../entities/domain/paths.ts'
import { Can } from '../../ui/Can.tsx'
import { Section } from '../../ui/Section.tsx'
import styles from './web-page.module.css'

const initialCount = 20
const kinds = ['sites', 'aliases'] as const

export function HostsSection({ web }: { readonly web: Web | undefined }) {
  const { t } = useTranslation()
  return (
    <Section
      title={t('webPage.hosts.title')}
      beside={
        web && (
          <Can access={domainsRoutes.readDomainRecords.access}>
            <Anchor component={Link} to={domainPath(web.fqdn)}>
              {t('domains.open')}
            </Anchor>
          </Can>
        )
      }
    >
      {web === undefined ? (
        <Skeleton h={24} />
      ) : web.sites.length + web.aliases.length === 0 ? (
        <Text c="dimmed">{t('webPage.hosts.none')}</Text>
      ) : (
        kinds.map((kind) => web[kind].length > 0 && <HostList key={kind} kind={kind} hosts={web[kind]} />)
      )}
    </Section>
  )
}

interface Props {
  readonly kind: (typeof kinds)[number]
  readonly hosts: readonly { readonly fqdn: string }[]
}

function HostList({ kind, hosts }: Props) {
  const { t } = useTranslation()
  const [showsAll, setAll] = useState(false)
  return (
    <div>
      <Title order={3} c="dimmed" fz="xs" mb={2}>
        {t(`webPage.hosts.${kind}`)}
      </Title>
      <ul className={styles.hosts}>
        {hosts.slice(0, showsAll ? hosts.length : initialCount).map(({ fqdn }) => (
          <li key={fqdn}>
            <Anchor
              href={`https://${fqdn}`}
              target="_blank"
              rel="noopener noreferrer"
              className={styles.mono}
            >
              {fqdn}
            </Anchor>
          </li>
        ))}
      </ul>
      {!showsAll && hosts.length > initialCount && (
        <Button variant="default" mt="xs" onClick={() => setAll(true)}>
          {t('webPage.all', { count: hosts.length })}
        </Button>
      )}
    </div>
  )
}
