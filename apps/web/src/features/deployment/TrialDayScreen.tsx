import type { Repository } from '@kustos/contract/bitbucket'
import { deploymentRoutes, newWebRequest, trialDayForm, trialDayPrefix } from '@kustos/contract/deployment'
import { TextInput } from '@mantine/core'
import { IconSchoolOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { requestWeb } from '../../entities/deployment/request-deployment.ts'
import { useDeploymentLink } from '../../entities/deployment/use-deployment-link.ts'
import { useRoute } from '../../platform/query.ts'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import { FormSection } from '../../ui/contract-form/FormSection.tsx'
import { plainText } from '../../ui/contract-form/fields.tsx'
import { errorsIn } from '../../ui/contract-form/rules.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Preview } from './Preview.tsx'
import { RepositoryState, RequestFormSkeleton } from './RepositoryState.tsx'
import { useFieldTexts } from './RequestForm.tsx'
import { trialDayNames, validateAvailability } from './request-rules.ts'

interface TrialDay {
  readonly template: string
  readonly customer: string
}

export default function TrialDayScreen() {
  const { t } = useTranslation()
  const options = useRoute(deploymentRoutes.readRequestOptions, {})
  return (
    <>
      <PageHeader title={t('screens.newschnuppertagweb.title')} />
      <QueryState query={options} skeleton={<RequestFormSkeleton fields={1} />}>
        {({ trial_day: trialDay }) =>
          trialDay === null ? (
            <EmptyState
              icon={IconSchoolOff}
              title={t('deployment.newschnuppertagweb.notSetUp')}
              hint={t('deployment.newschnuppertagweb.notSetUpHint')}
            />
          ) : (
            <RepositoryState fields={1}>
              {(list) => <TrialDayForm trialDay={trialDay} repositories={list} />}
            </RepositoryState>
          )
        }
      </QueryState>
    </>
  )
}

const empty = { codename: '' }
const asIs = (values: typeof empty) => values
/** The request has two names, the form has one field. */
const fieldOf = { bnName: 'codename', futureDomain: 'codename' } as const

interface Props {
  readonly trialDay: TrialDay
  readonly repositories: readonly Repository[]
}

function TrialDayForm({ trialDay, repositories }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const texts = useFieldTexts()
  const linkTo = useDeploymentLink()
  return (
    <ContractForm
      schema={newWebRequest}
      source={empty}
      toValues={asIs}
      toBody={({ codename }) => {
        const name = `${trialDayPrefix}${codename.trim()}`
        return {
          sourceRepo: trialDay.template,
          bnName: name,
          futureDomain: name,
          customer: trialDay.customer,
        }
      }}
      fieldOf={fieldOf}
      check={(values) => {
        const taken = validateAvailability(repositories, trialDayNames(values.codename)?.repository ?? null)
        return taken === undefined ? errorsIn(trialDayForm, values) : { codename: taken }
      }}
      checkedAgainst={repositories}
      send={requestWeb}
      onSaved={(id, { codename }) => {
        notifyDone(
          `${trialDayPrefix}${codename.trim()}`,
          t('deployment.newschnuppertagweb.successfullRequest'),
          id !== null && linkTo(id),
        )
        void navigate('/queue')
      }}
      submitLabel={t('deployment.request.submit')}
      failedText={t('deployment.request.failed')}
    >
      {({ field, values: { codename } }) => (
        <>
          <FormSection title={t('deployment.request.sections.web')}>
            <TextInput {...field('codename', texts('codename'))} required {...plainText} />
          </FormSection>
          <Preview source={trialDay.template} repository={trialDayNames(codename)?.repository ?? null} />
        </>
      )}
    </ContractForm>
  )
}
