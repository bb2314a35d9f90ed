import { kickstarters, type Repository } from '@kustos/contract/bitbucket'
import { Alert, Anchor, Select } from '@mantine/core'
import { IconCheck, IconGitBranchDeleted } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDeploymentLink } from '../../entities/deployment/use-deployment-link.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import styles from './deployment.module.css'
import { RepositoryState } from './RepositoryState.tsx'
import { RequestForm, useFieldTexts } from './RequestForm.tsx'

export default function NewWebScreen() {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('screens.newweb.title')} />
      <RepositoryState fields={3}>{(list) => <NewWebForm repositories={list} />}</RepositoryState>
    </>
  )
}

function NewWebForm({ repositories }: { readonly repositories: readonly Repository[] }) {
  const { t } = useTranslation()
  const texts = useFieldTexts()
  const linkTo = useDeploymentLink()
  const [requested, setRequested] = useState<{ readonly fqdn: string; readonly id: number | null }>()
  const names = new Set(repositories.map(({ name }) => name))
  const offered = kickstarters.filter((name) => names.has(name))
  if (offered.length === 0)
    return (
      <EmptyState
        icon={IconGitBranchDeleted}
        title={t('deployment.newweb.none')}
        hint={t('deployment.newweb.noneHint')}
      />
    )
  const link = requested !== undefined && requested.id !== null && linkTo(requested.id)
  return (
    <>
      {requested !== undefined && (
        // Unlike a notification it stays, for users who request several webs in a row.
        <Alert
          role="status"
          p="md"
          icon={<IconCheck size={16} />}
          title={`${requested.fqdn}: ${t('deployment.newweb.successfullRequest')}`}
          mb="md"
          maw={960}
        >
          {link && (
            <Anchor component="button" type="button" inherit onClick={link.run}>
              {link.label}
            </Anchor>
          )}
        </Alert>
      )}
      <RequestForm
        repositories={repositories}
        sourceHint={t('deployment.newweb.sourceHint')}
        sourceMissing={t('deployment.request.kickstarterRequired')}
        source={({ field, values: { sourceRepo } }) => (
          <Select
            {...field('sourceRepo', { ...texts('kickstarter'), wide: true })}
            // A cleared form has no selection.
            value={sourceRepo === '' ? null : sourceRepo}
            data={offered}
            allowDeselect={false}
            classNames={{ input: styles.mono, option: styles.mono }}
          />
        )}
        onRequested={(id, { futureDomain }) => {
          setRequested({ fqdn: futureDomain.trim(), id })
          scrollTo({ top: 0 })
        }}
      />
    </>
  )
}
