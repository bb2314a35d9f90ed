import { can } from '@kustos/contract/permissions'
import { type Web, webColumns, websRoutes } from '@kustos/contract/webs'
import { Switch } from '@mantine/core'
import { IconHeartRateMonitor, IconPencil, IconPlus, IconTrashOff, IconWorldWww } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { useWebActions } from '../../entities/web/actions/use-web-actions.tsx'
import { ExportButton } from '../../entities/web/ExportButton.tsx'
import { webCells } from '../../entities/web/web-cells.tsx'
import { loadTexts } from '../../platform/i18n.ts'
import { useRememberListUrl } from '../../platform/list-url.ts'
import { lazyPart } from '../../platform/load-code.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { Can } from '../../ui/Can.tsx'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'

const getId = (web: Web) => web.id
const isDeleted = (web: Web) => web.deleted_at !== null

const EditManyDrawer = lazyPart(async () => {
  await loadTexts('screens')
  return import('./EditManyDrawer.tsx')
})

const CheckManyDrawer = lazyPart(async () => {
  await loadTexts('screens')
  return import('./CheckManyDrawer.tsx')
})

export default function WebListScreen() {
  const { t } = useTranslation()
  const [edited, setEdited] = useState<readonly Web[] | null>(null)
  const [checked, setChecked] = useState<readonly Web[] | null>(null)
  const deleted = useDeletedView()
  useRememberListUrl()
  // Without an input, because the dashboard uses the same answer.
  const query = useRoute(websRoutes.listWebs, deleted ? { query: { deleted: '1' } } : {})
  const { actionsOf, bulkActionsFor } = useWebActions('list', query.data?.nodes)

  const bulkActions = bulkActionsFor(deleted ? 'deleted' : 'active')
  const mayEdit = can(useUser(), websRoutes.editWeb.access) && !deleted
  const editMany = { key: 'edit', label: t('actions.edit.label'), icon: IconPencil, run: setEdited }
  const checkMany = {
    key: 'changeCheck',
    label: t('actions.changeCheck.label'),
    icon: IconHeartRateMonitor,
    isMinor: true,
    run: setChecked,
  }

  return (
    <>
      <DataGrid
        key={deleted ? 'deleted' : 'active'}
        id="webs"
        storageKey="websiteListColumnSet"
        title={t(deleted ? 'webs.list.deletedTitle' : 'webs.list.title')}
        grid={webColumns}
        query={query}
        rows={query.data?.data}
        getRowId={getId}
        renderCell={webCells}
        rowActions={actionsOf}
        bulkActions={mayEdit ? [editMany, ...bulkActions, checkMany] : bulkActions}
        isMuted={isDeleted}
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
                onChange={() => view.changeSearchParams({ deleted: deleted ? null : '1' })}
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
      {checked !== null && (
        <Suspense>
          <CheckManyDrawer webs={checked} onClose={() => setChecked(null)} />
        </Suspense>
      )}
      {edited !== null && (
        <Suspense>
          <EditManyDrawer webs={edited} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </>
  )
}

function CreateButton() {
  const { t } = useTranslation()
  const { access } = websRoutes.createWeb
  return <LinkButton to="/hosting/add" label={t('webs.list.create')} icon={IconPlus} access={access} />
}

/** Whether the URL asks for deleted webs and the user may restore them. */
function useDeletedView() {
  const [searchParams] = useSearchParams()
  const mayRestore = can(useUser(), websRoutes.restoreWeb.access)
  return mayRestore && searchParams.get('deleted') === '1'
}
