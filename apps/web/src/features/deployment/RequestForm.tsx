import type { Repository } from '@kustos/contract/bitbucket'
import { type NewWebRequest, newWebRequest } from '@kustos/contract/deployment'
import { TextInput } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { requestWeb } from '../../entities/deployment/request-deployment.ts'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import { FormSection } from '../../ui/contract-form/FormSection.tsx'
import type { FormFields } from '../../ui/contract-form/fields.tsx'
import { Preview } from './Preview.tsx'
import { outcomeOf, takenBy } from './request-rules.ts'

export type RequestValues = NewWebRequest

const empty: RequestValues = { sourceRepo: '', bnName: '', futureDomain: '', customer: '' }
const asIs = (values: RequestValues) => values

interface Props {
  readonly repositories: readonly Repository[]
  readonly sourceHint: string
  /** The error if no source is selected. */
  readonly sourceMissing: string
  readonly source: (fields: FormFields<RequestValues>) => ReactNode
  readonly confirm?: (values: RequestValues) => Promise<boolean>
  /** @param deployment null if the answer does not name it */
  readonly onRequested: (values: RequestValues, deployment: number | null) => void
}

export function RequestForm({ repositories, sourceHint, sourceMissing, source, ...rest }: Props) {
  const { confirm, onRequested } = rest
  const { t } = useTranslation()
  const deployment = useRef<number | null>(null)
  return (
    <ContractForm
      schema={newWebRequest}
      source={empty}
      toValues={asIs}
      toBody={asIs}
      check={({ sourceRepo, futureDomain }) => {
        const taken = takenBy(repositories, outcomeOf(sourceRepo, futureDomain).repository)
        return {
          ...(sourceRepo === '' && { sourceRepo: sourceMissing }),
          ...(taken !== undefined && { futureDomain: taken }),
        }
      }}
      {...(confirm && { confirm })}
      send={async (body, signal) => {
        deployment.current = await requestWeb(body, signal)
        return undefined
      }}
      afterSave={() => empty}
      onSaved={(_, values) => onRequested(values, deployment.current)}
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

function WebFields({ fields: { field } }: { readonly fields: FormFields<RequestValues> }) {
  const { t } = useTranslation()
  return (
    <FormSection title={t('deployment.request.sections.web')} hint={t('deployment.request.sections.webHint')}>
      <TextInput
        {...field('bnName', {
          label: t('deployment.request.fields.bnName'),
          hint: t('deployment.request.hints.bnName'),
        })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextInput
        {...field('futureDomain', {
          label: t('deployment.request.fields.domain'),
          hint: t('deployment.request.hints.domain'),
        })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
      />
      <TextInput
        {...field('customer', {
          label: t('deployment.request.fields.customer'),
          hint: t('deployment.request.hints.customer'),
        })}
        autoComplete="off"
        spellCheck={false}
      />
    </FormSection>
  )
}
