import { bitbucketRoutes, type Repository, repositoryColumns } from '@kustos/contract/bitbucket'
import { IconBrandBitbucket, IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useStaleList } from '../../platform/stale-list.ts'
import { copyAction } from '../../ui/data-grid/copy-action.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import type { Cells } from '../../ui/data-grid/types.ts'
import { StaleNote } from '../../ui/StaleNote.tsx'
import styles from './bitbucket.module.css'

const getName = ({ name }: Repository) => name
const cells: Cells<Repository> = { link: (repository) => <BitbucketLink {...repository} /> }

export default function BitbucketScreen() {
  const { t } = useTranslation()
  const query = useStaleList(bitbucketRoutes.listRepositories, {})
  return (
    <>
      <StaleNote since={query.data?.staleSince} source="bitbucket" />
      <DataGrid
        id="bitbucket"
        title={t('screens.hosting-bitbucket.title')}
        grid={repositoryColumns}
        query={query}
        rows={query.data?.list}
        getRowId={getName}
        renderCell={cells}
        rowActions={({ name, links }) => [
          {
            key: 'open',
            label: t('bitbucket.open'),
            icon: IconExternalLink,
            run: () => void window.open(links.html.href, '_blank', 'noopener,noreferrer'),
          },
          copyAction(name, t('bitbucket.copy'), t('bitbucket.copied')),
        ]}
        empty={{ icon: IconBrandBitbucket, title: t('bitbucket.empty'), hint: t('bitbucket.emptyHint') }}
      />
    </>
  )
}

function BitbucketLink({ name, links }: Repository) {
  const { t } = useTranslation()
  return (
    <a
      href={links.html.href}
      target="_blank"
      rel="noopener noreferrer"
      tabIndex={-1}
      data-main=""
      className={styles.link}
      aria-label={t('bitbucket.openNamed', { name })}
    >
      {t('bitbucket.open')}
      <IconExternalLink size={14} aria-hidden="true" />
    </a>
  )
}
