import {
  type ExternalDomain,
  type ExternalDomainChange,
  externalDomainsRoutes,
  type NewExternalDomain,
} from '@kustos/contract/external-domains'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../app/api-error.ts'
import { call } from '../../app/client.ts'
import { useAction } from '../../app/query.ts'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'

const { listExternalDomains, editExternalDomain } = externalDomainsRoutes

const editable = ({ fqdn, customer, domainprovider }: ExternalDomain): NewExternalDomain => ({
  fqdn,
  customer,
  domainprovider,
})
/** The time that it was read with goes back along, so that nobody's change is overwritten unseen. */
const toBody = (values: NewExternalDomain, { updated_at }: ExternalDomain): ExternalDomainChange => ({
  ...values,
  updated_at,
})

/** The list is the one place that domains are read from. */
async function newest({ id }: ExternalDomain): Promise<ExternalDomain> {
  const found = (await call(listExternalDomains, {})).find((domain) => domain.id === id)
  if (found === undefined) throw new ApiError(404, { message: `External domain ${id} was not found.` })
  return found
}

interface Props {
  readonly domain: ExternalDomain
  readonly onClose: () => void
}

/** Changes one external domain, over the list. */
export function EditDialog({ domain, onClose }: Props) {
  const { t } = useTranslation()
  const edit = useAction(editExternalDomain, [listExternalDomains])

  return (
    <FormDialog title={t('limitis.external.editTitle', { fqdn: domain.fqdn })} onClose={onClose}>
      {(cancel) => (
        <ContractForm
          route={editExternalDomain}
          source={domain}
          toValues={editable}
          toBody={toBody}
          send={(body) => edit.mutateAsync({ params: { id: domain.id }, body })}
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
