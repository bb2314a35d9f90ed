import type { Repository } from '@kustos/contract/bitbucket'
import { type NewWebRequest, newWebRequest } from '@kustos/contract/deployment'
import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CustomerPicker } from '../../entities/customer/CustomerPicker.tsx'
import { requestWeb } from '../../entities/deployment/request-deployment.ts'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import { FormSection } from '../../ui/contract-form/FormSection.tsx'
import { type FormFields, plainText } from '../../ui/contract-form/fields.tsx'
import { Preview } from './Preview.tsx'
import { outcomeOf, validateAvailability } from './request-rules.ts'

const empty: NewWebRequest = { sourceRepo: '', bnName: '', futureDomain: '', customer: '' }
const asIs = (values: NewWebRequest) => values

interface Props {
  readonly repositories: readonly Repository[]
  readonly sourceHint: string
  /** The error if no source is selected. */
  readonly sourceMissing: string
  readonly source: (fields: FormFields<NewWebRequest>) => ReactNode
  readonly confirm?: (values: NewWebRequest) => Promise<boolean>
  /** @param deployment null if the answer does not name it */
  readonly onRequested: (deployment: number | null, values: NewWebRequest) => void
}

export function RequestForm({ repositories, sourceHint, sourceMissing, source, ...rest }: Props) {
  const { confirm, onRequested } = rest
  const { t } = useTranslation()
  return (
    <ContractForm
      schema={newWebRequest}
      source={empty}
      toValues={asIs}
      toBody={asIs}
      check={({ sourceRepo, futureDomain }) => {
        const taken = validateAvailability(repositories, outcomeOf(sourceRepo, futureDomain).repository)
        return {
          ...(sourceRepo === '' && { sourceRepo: sourceMissing }),
          ...(taken !== undefined && { futureDomain: taken }),
        }
      }}
      checkedAgainst={repositories}
      {...(confirm && { confirm })}
      send={requestWeb}
      afterSave={() => empty}
      onSaved={onRequested}
      submitLabel={t('deployment.request.submit')}
      failedText={t('deployment.request.failed')}
    >
      {(fields) => (
        <>
          <FormSection title={t('deployment.request.sections.source')} hint={sourceHint}>
            {source(fields)}
          </FormSection>
          <WebFields fields={fields} />
          <Preview
            source={fields.values.sourceRepo}
            {...outcomeOf(fields.values.sourceRepo, fields.values.futureDomain)}
          />
        </>
      )}
    </ContractForm>
  )
}

/** Label and hint of a field. */
export function useFieldTexts() {
  const { t } = useTranslation()
  return (name: 'bnName' | 'domain' | 'customer' | 'codename' | 'kickstarter') => ({
    label: t(`deployment.request.fields.${name}`),
    hint: t(`deployment.request.hints.${name}`),
  })
}

function WebFields({ fields: { field } }: { readonly fields: FormFields<NewWebRequest> }) {
  const { t } = useTranslation()
  const texts = useFieldTexts()
  return (
    <FormSection title={t('deployment.request.sections.web')} hint={t('deployment.request.sections.webHint')}>
      <TextInput {...field('bnName', texts('bnName'))} {...plainText} />
      <TextInput {...field('futureDomain', texts('domain'))} {...plainText} inputMode="url" />
      <CustomerPicker {...field('customer', texts('customer'))} />
    </FormSection>
  )
}
