import { type DomainRecords, domainsRoutes } from '@kustos/contract/domains'
import { can } from '@kustos/contract/permissions'
import { Skeleton } from '@mantine/core'
import { IconWorldOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { getListUrl } from '../../platform/list-url.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { Can } from '../../ui/Can.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import styles from '../../ui/page-sections.module.css'
import { QueryState } from '../../ui/QueryState.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { AlertsSection } from './AlertsSection.tsx'
import { DomainFacts } from './DomainFacts.tsx'
import { ExpirySection } from './ExpirySection.tsx'
import { HistorySection } from './HistorySection.tsx'
import { MailSection } from './MailSection.tsx'
import { RecordsSection } from './RecordsSection.tsx'

const listAccess = { any: ['view external domains', 'view limitis domains'] } as const

/** @param id the name, in any spelling */
export default function DomainScreen({ id: fqdn }: { readonly id: string }) {
  const { t } = useTranslation()
  const user = useUser()
  const query = useRoute(domainsRoutes.readDomainRecords, { params: { fqdn } })
  useEffect(() => {
    document.title = `${fqdn} · ${t('app.title')}`
  }, [fqdn, t])
  const list = query.data?.list
  const isMissing = query.error?.status === 404
  return (
    <>
      {can(user, listAccess) && <BackLink to={getListUrl('/limitis/alldomains')} label={t('domains.back')} />}
      <PageHeader
        title={query.data?.fqdn ?? fqdn}
        beside={list && <StatusChip tone="grey" text={t(`domains.lists.${list}`)} />}
      />
      {isMissing ? (
        <EmptyState
          icon={IconWorldOff}
          title={t('domains.missing', { fqdn })}
          hint={t('domains.missingHint')}
        />
      ) : (
        <QueryState query={query} skeleton={<Skeleton h={900} />}>
          {(domain) => <Sections domain={domain} />}
        </QueryState>
      )}
    </>
  )
}

function Sections({ domain }: { readonly domain: DomainRecords }) {
  return (
    <div className={styles.sections}>
      <div className={styles.columns}>
        <div className={styles.sections}>
          <DomainFacts domain={domain} />
          <ExpirySection expiry={domain.expiry} />
        </div>
        <div className={styles.sections}>
          <MailSection domain={domain} />
          <Can access={domainsRoutes.editDomainAlerts.access}>
            <AlertsSection domain={domain} />
          </Can>
        </div>
      </div>
      <RecordsSection domain={domain} />
      <HistorySection domain={domain} />
    </div>
  )
}
