import { type Email, emailColumns, limitisRoutes } from '@kustos/contract/limitis'
import { IconCopy, IconMail } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useStaleList } from '../../platform/stale-list.ts'
import { copyAndNotify } from '../../ui/copy.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { StaleNote } from '../../ui/StaleNote.tsx'

const idOf = ({ id }: Email) => id
const addressOf = ({ address }: Email) => address
const first = ['address', 'type']

export function EmailsScreen() {
  const { t } = useTranslation()
  const query = useStaleList(limitisRoutes.listEmails, {})
  return (
    <>
      <StaleNote since={query.data?.staleSince} source="limitis" />
      <DataGrid
        id="emails"
        title={t('screens.limitis-emails.title')}
        grid={emailColumns}
        first={first}
        rows={query.data?.list}
        getRowId={idOf}
        getRowName={addressOf}
        rowActions={({ address }) => [
          {
            key: 'copy',
            label: t('limitis.copyAddress'),
            icon: <IconCopy size={16} />,
            run: () => void copyAndNotify(address, t('limitis.copiedAddress')),
          },
        ]}
        error={query.error}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
        empty={{ icon: IconMail, title: t('limitis.emails.empty'), hint: t('limitis.emails.emptyHint') }}
      />
    </>
  )
}
