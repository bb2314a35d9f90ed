import { can } from '@kustos/contract/permissions'
import { type Web, webColumns, websRoutes } from '@kustos/contract/webs'
import { Button, Switch } from '@mantine/core'
import { IconPlus, IconTrashOff, IconWorldWww } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'react-router-dom'
import { useRoute } from '../../app/query.ts'
import { useUser } from '../../app/session.ts'
import { Can } from '../../ui/Can.tsx'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { ExportButton } from '../../ui/ExportButton.tsx'
import { rememberListAddress } from './list-address.ts'
import { useBulkBackup } from './use-bulk-backup.tsx'
import { useBulkRefresh } from './use-refresh.tsx'
import { useRowActions } from './use-row-actions.tsx'
import { useWebCells } from './use-web-cells.tsx'

const idOf = (web: Web) => web.id
const fqdnOf = (web: Web) => web.fqdn
/** Which web, and how it is. */
const first = ['fqdn', 'status', 'http_status_code']
const isDeleted = (web: Web) => web.deleted_at !== null

/** The inventory: the webs that are there, or those that were deleted. */
export function WebListScreen() {
  const { t } = useTranslation()
  const deleted = useDeletedView()
  const { search } = useLocation()
  useEffect(() => rememberListAddress(search), [search])
  // Without an input for the living: the dashboard's figures are counted from the same answer.
  const query = useRoute(websRoutes.listWebs, deleted ? { query: { deleted: '1' } } : {})
  const cells = useWebCells()
  const rowActions = useRowActions(query.data?.nodes)
  const bulkActions = [...useBulkRefresh(), ...useBulkBackup(query.data?.nodes)]

  return (
    <DataGrid
      key={deleted ? 'deleted' : 'living'}
      id="webs"
      storageKey="websiteListColumnSet"
      title={t(deleted ? 'webs.list.deletedTitle' : 'webs.list.title')}
      grid={webColumns}
      first={first}
      rows={query.data?.data}
      getRowId={idOf}
      getRowName={fqdnOf}
      renderCell={cells}
      rowActions={rowActions}
      {...(!deleted && bulkActions.length > 0 && { bulkActions })}
      isMuted={isDeleted}
      error={query.error}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
      empty={
        deleted
          ? { icon: IconTrashOff, title: t('webs.list.noDeleted'), hint: t('webs.list.noDeletedHint') }
          : {
              icon: IconWorldWww,
              title: t('webs.list.empty'),
              hint: t('webs.list.emptyHint'),
              action: <CreateButton />,
            }
      }
      toolbar={(view) => (
        <>
          <Can access={websRoutes.restoreWeb.access}>
            <Switch
              label={t('webs.list.showDeleted')}
              checked={deleted}
              onChange={() =>
                view.amend((asked) => {
                  if (deleted) asked.delete('deleted')
                  else asked.set('deleted', '1')
                })
              }
            />
          </Can>
          <ExportButton
            {...view}
            route={websRoutes.exportWebs}
            unavailable={deleted ? t('webs.export.notOfDeleted') : undefined}
          />
          <CreateButton />
        </>
      )}
    />
  )
}

function CreateButton() {
  const { t } = useTranslation()
  return (
    <Can access={websRoutes.createWeb.access}>
      <Button component={Link} to="/hosting/add" leftSection={<IconPlus size={16} />}>
        {t('webs.list.create')}
      </Button>
    </Can>
  )
}

/** Whether the address asks for the deleted webs, by somebody who may restore them. */
function useDeletedView() {
  const [address] = useSearchParams()
  const mayRestore = can(useUser(), websRoutes.restoreWeb.access)
  return mayRestore && address.get('deleted') === '1'
}
