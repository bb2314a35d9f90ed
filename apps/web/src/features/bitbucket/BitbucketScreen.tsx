import { type Repository, repositoryColumns } from '@kustos/contract/bitbucket'
import { IconBrandBitbucket, IconCopy, IconExternalLink } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRepositories } from '../../entities/repository/use-repositories.ts'
import { copyAndNotify } from '../../ui/copy.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import type { RowAction } from '../../ui/data-grid/types.ts'
import { StaleNote } from '../../ui/StaleNote.tsx'
import styles from './bitbucket.module.css'

const nameOf = ({ name }: Repository) => name
const first = ['name', 'updated_on']

export function BitbucketScreen() {
  const { t } = useTranslation()
  const query = useRepositories()
  const cells = useCells()

  const rowActions = (repository: Repository): readonly RowAction[] => [
    {
      key: 'open',
      label: t('bitbucket.open'),
      icon: <IconExternalLink size={16} />,
      run: () => void window.open(repository.links.html.href, '_blank', 'noopener,noreferrer'),
    },
    {
      key: 'copy',
      label: t('bitbucket.copy'),
      icon: <IconCopy size={16} />,
      run: () => void copyAndNotify(repository.name, t('bitbucket.copied')),
    },
  ]

  return (
    <>
      <StaleNote since={query.data?.staleSince} source="bitbucket" />
      <DataGrid
        id="bitbucket"
        title={t('screens.hosting-bitbucket.title')}
        grid={repositoryColumns}
        first={first}
        rows={query.data?.list}
        getRowId={nameOf}
        getRowName={nameOf}
        renderCell={cells}
        rowActions={rowActions}
        error={query.error}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
        empty={{ icon: IconBrandBitbucket, title: t('bitbucket.empty'), hint: t('bitbucket.emptyHint') }}
      />
    </>
  )
}

function useCells(): Readonly<Record<string, (repository: Repository) => ReactNode>> {
  const { t } = useTranslation()
  return useMemo(
    () => ({
      link: ({ name, links }) => (
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
      ),
    }),
    [t],
  )
}
