import type { Repository } from '@kustos/contract/bitbucket'
import { deploymentRoutes, newWebRequest, trialDayForm, trialDayPrefix } from '@kustos/contract/deployment'
import { TextInput } from '@mantine/core'
import { IconSchoolOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { requestWeb } from '../../entities/deployment/request-deployment.ts'
import { useDeploymentLink } from '../../entities/deployment/use-deployment-link.tsx'
import { useRepositories } from '../../entities/repository/use-repositories.ts'
import { useRoute } from '../../platform/query.ts'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import { FormSection } from '../../ui/contract-form/FormSection.tsx'
import { plainText } from '../../ui/contract-form/fields.tsx'
import { errorsIn } from '../../ui/contract-form/rules.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { StaleNote } from '../../ui/StaleNote.tsx'
import { Preview } from './Preview.tsx'
import { RequestFormSkeleton } from './RequestFormSkeleton.tsx'
import { takenBy, trialDayNames } from './request-rules.ts'

interface TrialDay {
  readonly template: string
  readonly customer: string
}

export function TrialDayScreen() {
  const { t } = useTranslation()
  const repositories = useRepositories()
  const options = useRoute(deploymentRoutes.readRequestOptions, {})
  const skeleton = <RequestFormSkeleton fields={1} />
  return (
    <>
      <PageHeader title={t('screens.newschnuppertagweb.title')} />
      <QueryState query={options} skeleton={skeleton}>
        {({ trial_day: trialDay }) =>
          trialDay === null ? (
            <EmptyState
              icon={IconSchoolOff}
              title={t('deployment.newschnuppertagweb.notSetUp')}
              hint={t('deployment.newschnuppertagweb.notSetUpHint')}
            />
          ) : (
            <>
              <StaleNote since={repositories.data?.staleSince} source="bitbucket" />
              <QueryState query={repositories} skeleton={skeleton}>
                {({ list }) => <TrialDayForm trialDay={trialDay} repositories={list} />}
              </QueryState>
            </>
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
        const taken = takenBy(repositories, trialDayNames(values.codename)?.repository ?? null)
        return taken === undefined ? errorsIn(trialDayForm, values) : { codename: taken }
      }}
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
            <TextInput
              {...field('codename', {
                label: t('deployment.request.fields.codename'),
                hint: t('deployment.request.hints.codename'),
              })}
              required
              {...plainText}
            />
          </FormSection>
          <Preview source={trialDay.template} repository={trialDayNames(codename)?.repository ?? null} />
        </>
      )}
    </ContractForm>
  )
}
