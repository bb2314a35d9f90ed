import {
  type ExternalDomain,
  externalDomainChange,
  externalDomainsRoutes,
} from '@kustos/contract/external-domains'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CustomerPicker } from '../../entities/customer/CustomerPicker.tsx'
import { call } from '../../platform/client.ts'
import { write } from '../../platform/query.ts'
import { plainText } from '../../ui/contract-form/fields.tsx'
import { findListed } from '../../ui/contract-form/find-listed.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'

const { listExternalDomains, editExternalDomain } = externalDomainsRoutes

interface Props {
  readonly domain: ExternalDomain
  readonly onClose: () => void
}

export function EditDialog({ domain, onClose }: Props) {
  const { t } = useTranslation()
  const params = { id: domain.id }
  return (
    <FormDialog
      title={t('limitis.external.editTitle', { fqdn: domain.fqdn })}
      onClose={onClose}
      schema={externalDomainChange}
      source={domain}
      toValues={({ fqdn, customer, domainprovider }) => ({ fqdn, customer, domainprovider })}
      // With the time of the version that was read, so that concurrent edits are not overwritten.
      toBody={(values, { updated_at }) => ({ ...values, updated_at })}
      send={(body, signal) => write(editExternalDomain, { params, body }, [listExternalDomains], signal)}
      loadLatest={() => findListed(call(listExternalDomains, {}), domain.id, 'external_domain_not_found')}
      onSaved={(_, { fqdn }) => notifyDone(fqdn.trim().toLowerCase(), t('limitis.external.saved'))}
      submitLabel={t('limitis.external.save')}
    >
      {({ field }) => (
        <>
          <TextInput
            {...field('fqdn', {
              label: t('limitis.external.fields.fqdn'),
              hint: t('limitis.external.hints.fqdn'),
            })}
            {...plainText}
            data-autofocus
            inputMode="url"
          />
          <CustomerPicker {...field('customer', { label: t('limitis.external.fields.customer') })} />
          <TextInput
            {...field('domainprovider', {
              label: t('limitis.external.fields.domainprovider'),
              hint: t('limitis.external.hints.domainprovider'),
            })}
            autoComplete="off"
          />
        </>
      )}
    </FormDialog>
  )
}
