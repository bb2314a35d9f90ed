import { forkableProject, isForkable, type Repository } from '@kustos/contract/bitbucket'
import { Alert, Select } from '@mantine/core'
import { IconAlertTriangle, IconGitFork } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { useDeploymentLink } from '../../entities/deployment/use-deployment-link.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { timeAgo } from '../../ui/times.ts'
import { useConfirm } from '../../ui/use-confirm.tsx'
import styles from './deployment.module.css'
import { RepositoryState } from './RepositoryState.tsx'
import { RequestForm } from './RequestForm.tsx'
import { isOldDump } from './request-rules.ts'
import { SourceDump } from './SourceDump.tsx'

/** Longer lists need the search. */
const maxOptions = 200

export default function ForkWebScreen() {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('screens.forkweb.title')} />
      <Alert
        color="orange"
        p="md"
        icon={<IconAlertTriangle size={16} />}
        title={t('deployment.forkweb.warning')}
        mb="md"
        maw={960}
        className={styles.warning}
        classNames={{ title: styles.warningTitle, icon: styles.warningIcon }}
      >
        {t('deployment.forkweb.warningText')}
      </Alert>
      <RepositoryState fields={3}>{(list) => <ForkForm repositories={list} />}</RepositoryState>
    </>
  )
}

function ForkForm({ repositories }: { readonly repositories: readonly Repository[] }) {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const confirm = useConfirm()
  const linkTo = useDeploymentLink()
  const offered = repositories.filter(isForkable).map(({ name }) => name)
  const named = (source: string) => repositories.find(({ name }) => name === source)

  async function confirmOld(source: string): Promise<boolean> {
    const dumpedAt = named(source)?.kick_dumped_at ?? null
    const now = Date.now()
    if (!isOldDump(dumpedAt, now)) return true
    return confirm({
      text:
        dumpedAt === null
          ? t('deployment.forkweb.noDump', { source })
          : t('deployment.forkweb.confirmOldDump', { source, ago: timeAgo(dumpedAt, now, i18n.language) }),
      yes: t('deployment.forkweb.fork'),
    })
  }

  if (offered.length === 0)
    return (
      <EmptyState
        icon={IconGitFork}
        title={t('deployment.forkweb.none')}
        hint={t('deployment.forkweb.noneHint', { project: forkableProject })}
      />
    )
  return (
    <RequestForm
      repositories={repositories}
      sourceHint={t('deployment.forkweb.sourceHint')}
      sourceMissing={t('deployment.request.sourceRequired')}
      confirm={({ sourceRepo }) => confirmOld(sourceRepo)}
      source={({ field, values: { sourceRepo } }) => (
        <>
          <Select
            {...field('sourceRepo', { label: t('deployment.request.fields.source') })}
            value={sourceRepo === '' ? null : sourceRepo}
            data={offered}
            limit={maxOptions}
            searchable
            allowDeselect={false}
            placeholder={t('deployment.forkweb.searchRepositories')}
            nothingFoundMessage={t('deployment.request.noMatch')}
            classNames={{ input: styles.mono, option: styles.mono }}
          />
          <SourceDump key={sourceRepo} repository={named(sourceRepo)} />
        </>
      )}
      onRequested={(id, { futureDomain }) => {
        notifyDone(futureDomain.trim(), t('deployment.forkweb.successfullRequest'), id !== null && linkTo(id))
        void navigate('/queue')
      }}
    />
  )
}
