import { type Email, emailColumns, limitisRoutes } from '@kustos/contract/limitis'
import { IconMail } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { customerCells } from '../../entities/customer/customer-cells.tsx'
import { useStaleList } from '../../platform/stale-list.ts'
import { copyAction } from '../../ui/data-grid/copy-action.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { StaleNote } from '../../ui/StaleNote.tsx'

const getId = ({ id }: Email) => id

export default function EmailsScreen() {
  const { t } = useTranslation()
  const query = useStaleList(limitisRoutes.listEmails, {})
  return (
    <>
      <StaleNote since={query.data?.staleSince} source="limitis" />
      <DataGrid
        id="emails"
        title={t('screens.limitis-emails.title')}
        grid={emailColumns}
        query={query}
        rows={query.data?.list}
        getRowId={getId}
        renderCell={customerCells}
        rowActions={({ address }) => [
          copyAction(address, t('limitis.copyAddress'), t('limitis.copiedAddress')),
        ]}
        empty={{ icon: IconMail, title: t('limitis.emails.empty'), hint: t('limitis.emails.emptyHint') }}
      />
    </>
  )
}
