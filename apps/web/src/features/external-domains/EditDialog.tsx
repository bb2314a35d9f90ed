import {
  type ExternalDomain,
  type ExternalDomainChange,
  externalDomainChange,
  externalDomainsRoutes,
  type NewExternalDomain,
} from '@kustos/contract/external-domains'
import { message } from '@kustos/contract/messages'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../platform/api-error.ts'
import { call } from '../../platform/client.ts'
import { write } from '../../platform/query.ts'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'

const { listExternalDomains, editExternalDomain } = externalDomainsRoutes

const editable = ({ fqdn, customer, domainprovider }: ExternalDomain): NewExternalDomain => ({
  fqdn,
  customer,
  domainprovider,
})
/** Sends the time of the version that was read, so that concurrent edits are not overwritten. */
const toBody = (values: NewExternalDomain, { updated_at }: ExternalDomain): ExternalDomainChange => ({
  ...values,
  updated_at,
})

/** There is no route for a single domain. */
async function newest({ id }: ExternalDomain): Promise<ExternalDomain> {
  const found = (await call(listExternalDomains, {})).find((domain) => domain.id === id)
  if (found === undefined)
    throw new ApiError(404, { ...message('external_domain_not_found', { id }), message: 'Not found.' })
  return found
}

interface Props {
  readonly domain: ExternalDomain
  readonly onClose: () => void
}

export function EditDialog({ domain, onClose }: Props) {
  const { t } = useTranslation()

  return (
    <FormDialog title={t('limitis.external.editTitle', { fqdn: domain.fqdn })} onClose={onClose}>
      {(cancel) => (
        <ContractForm
          schema={externalDomainChange}
          source={domain}
          toValues={editable}
          toBody={toBody}
          send={(body, signal) =>
            write(editExternalDomain, { params: { id: domain.id }, body }, [listExternalDomains], signal)
          }
          loadNewest={() => newest(domain)}
          onSaved={(_, { fqdn }) => {
            notifyDone(fqdn.trim().toLowerCase(), t('limitis.external.saved'))
            onClose()
          }}
          submitLabel={t('limitis.external.save')}
          beside={cancel}
        >
          {({ field }) => (
            <>
              <TextInput
                {...field('fqdn', {
                  label: t('limitis.external.fields.fqdn'),
                  hint: t('limitis.external.hints.fqdn'),
                })}
                data-autofocus
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                inputMode="url"
              />
              <TextInput
                {...field('customer', { label: t('limitis.external.fields.customer') })}
                autoComplete="off"
              />
              <TextInput
                {...field('domainprovider', {
                  label: t('limitis.external.fields.domainprovider'),
                  hint: t('limitis.external.hints.domainprovider'),
                })}
                autoComplete="off"
              />
            </>
          )}
        </ContractForm>
      )}
    </FormDialog>
  )
}
