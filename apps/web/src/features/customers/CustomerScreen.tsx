import { alertRoutesRoutes } from '@kustos/contract/alert-routes'
import { type CustomerDetails, customersRoutes } from '@kustos/contract/customers'
import { maintenanceRoutes } from '@kustos/contract/maintenance'
import { timelineWeeks } from '@kustos/contract/timeline'
import { Button, Skeleton } from '@mantine/core'
import { IconArrowMerge, IconBuildingOff, IconPencil } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { CustomerRoutesSection } from '../../entities/alert-route/CustomerRoutesSection.tsx'
import { CheckSection } from '../../entities/check/CheckSection.tsx'
import { customerPath } from '../../entities/customer/paths.ts'
import { domainPath, mailboxPath } from '../../entities/domain/paths.ts'
import { MaintenanceSection } from '../../entities/maintenance/MaintenanceSection.tsx'
import { seesTimelines, TimelineSection } from '../../entities/timeline/TimelineSection.tsx'
import { CustomerContractSection } from '../../entities/tracking-contract/CustomerContractSection.tsx'
import { EndingCertificates } from '../../entities/web/EndingCertificates.tsx'
import { WebSummaries } from '../../entities/web/WebSummaries.tsx'
import { getListUrl } from '../../platform/list-url.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { Can } from '../../ui/Can.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import styles from '../../ui/page-sections.module.css'
import { QueryState } from '../../ui/QueryState.tsx'
import { EditCustomerDialog } from './CustomerDialogs.tsx'
import { CustomerFacts } from './CustomerFacts.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { NameList } from './NameList.tsx'

const { readCustomer, readTimeline, editCustomer } = customersRoutes

interface Props {
  readonly code: string
  /** What needs attention. */
  readonly attention: ReactNode
}

export default function CustomerScreen({ code, attention }: Props) {
  const { t } = useTranslation()
  const query = useRoute(readCustomer, { params: { code } })
  useEffect(() => {
    document.title = `${code} · ${t('app.title')}`
  }, [code, t])
  const user = useUser()
  const isMissing = query.error?.status === 404
  return (
    <>
      <BackLink to={getListUrl('/customers')} label={t('customers.back')} />
      <PageHeader
        title={query.data?.name ? `${code} · ${query.data.name}` : code}
        actions={query.data && !isMissing && <Actions customer={query.data} />}
      />
      {isMissing ? (
        <EmptyState icon={IconBuildingOff} title={t('customers.missing')} hint={t('customers.missingHint')} />
      ) : (
        <div className={styles.sections}>
          <QueryState query={query} skeleton={<Skeleton h={900} />}>
            {(customer) => <Parts customer={customer} attention={attention} />}
          </QueryState>
          {seesTimelines(user) && <CustomerTimeline code={code} />}
        </div>
      )}
    </>
  )
}

function Parts({ customer, attention }: Pick<Props, 'attention'> & { readonly customer: CustomerDetails }) {
  const { t } = useTranslation()
  const { webs, own_domains: own, external_domains: external, mailboxes } = customer
  return (
    <div className={styles.sections}>
      <CustomerFacts customer={customer} />
      {attention}
      {webs !== null && <WebSummaries webs={webs} uptime={customer.uptime} shows="node" />}
      <div className={styles.columns}>
        {webs !== null && <EndingCertificates webs={webs} />}
        {own !== null && (
          <NameList
            title={t('customers.parts.own_domains')}
            names={own.map(({ fqdn }) => fqdn)}
            pathOf={domainPath}
          />
        )}
        {external !== null && (
          <NameList
            title={t('customers.parts.external_domains')}
            names={external.map(({ fqdn }) => fqdn)}
            pathOf={domainPath}
          />
        )}
        {mailboxes !== null && (
          <NameList
            title={t('customers.parts.mailboxes')}
            names={mailboxes.map(({ address }) => address)}
            pathOf={mailboxPath}
          />
        )}
      </div>
      <Can access={maintenanceRoutes.listWindows.access}>
        <MaintenanceSection of={{ customer: customer.code }} />
      </Can>
      <CheckSection subject={{ customer: customer.code }} name={customer.code} />
      <CustomerContractSection code={customer.code} />
      <Can access={alertRoutesRoutes.listAlertRoutes.access}>
        <CustomerRoutesSection code={customer.code} />
      </Can>
    </div>
  )
}

function CustomerTimeline({ code }: { readonly code: string }) {
  const [weeks, setWeeks] = useState(String(timelineWeeks.default))
  const query = useRoute(
    readTimeline,
    { params: { code }, query: { weeks } },
    { placeholderData: keepPreviousData },
  )
  return <TimelineSection query={query} weeks={weeks} onWeeks={setWeeks} changes={{ customer: code }} />
}

function Actions({ customer }: { readonly customer: CustomerDetails }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'edit' | 'merge' | null>(null)
  const close = () => setDialog(null)
  return (
    <Can access={editCustomer.access}>
      <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => setDialog('edit')}>
        {t('customers.edit')}
      </Button>
      <Button variant="default" leftSection={<IconArrowMerge size={16} />} onClick={() => setDialog('merge')}>
        {t('customers.merge.label')}
      </Button>
      {dialog === 'edit' && <EditCustomerDialog customer={customer} onClose={close} />}
      {dialog === 'merge' && (
        <MergeDialog
          code={customer.code}
          onMerged={(into) => void navigate(customerPath(into), { replace: true })}
          onClose={close}
        />
      )}
    </Can>
  )
}
