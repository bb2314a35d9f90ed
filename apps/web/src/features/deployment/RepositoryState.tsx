import { bitbucketRoutes, type Repository } from '@kustos/contract/bitbucket'
import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStaleList } from '../../platform/stale-list.ts'
import { FormSkeleton } from '../../ui/contract-form/FormSkeleton.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { StaleNote } from '../../ui/StaleNote.tsx'

interface Props {
  /** The number of fields of the form, for its skeleton. */
  readonly fields: number
  readonly children: (repositories: readonly Repository[]) => ReactNode
}

/** The form of a request that needs the repositories, with their age while Bitbucket is unreachable. */
export function RepositoryState({ fields, children }: Props) {
  const query = useStaleList(bitbucketRoutes.listRepositories, {})
  return (
    <>
      <StaleNote since={query.data?.staleSince} source="bitbucket" />
      <QueryState query={query} skeleton={<RequestFormSkeleton fields={fields} />}>
        {({ list }) => children(list)}
      </QueryState>
    </>
  )
}

export function RequestFormSkeleton({ fields }: Pick<Props, 'fields'>) {
  const { t } = useTranslation()
  const hasSource = fields > 1
  return (
    <FormSkeleton
      sections={[
        ...(hasSource ? [{ title: t('deployment.request.sections.source'), wide: 1 }] : []),
        { title: t('deployment.request.sections.web'), narrow: fields },
        {
          title: t('deployment.request.sections.preview'),
          content: <Skeleton h={hasSource ? 98 : 70} />,
        },
      ]}
    />
  )
}
