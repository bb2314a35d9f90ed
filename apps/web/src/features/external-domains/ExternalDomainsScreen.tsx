import {
  type ExternalDomain,
  externalDomainColumns,
  externalDomainsRoutes,
} from '@kustos/contract/external-domains'
import { can } from '@kustos/contract/permissions'
import { Button, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash, IconWorldShare } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useCopyFqdn, useDomainCells } from '../../entities/domain/use-domain-cells.tsx'
import { ApiError } from '../../platform/api-error.ts'
import { useAction, useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { Can } from '../../ui/Can.tsx'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import type { RowAction } from '../../ui/data-grid/types.ts'
import { notifyDone, notifyFailed } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { EditDialog } from './EditDialog.tsx'
import { addPath } from './paths.ts'

const { listExternalDomains, createExternalDomain, editExternalDomain, deleteExternalDomain } =
  externalDomainsRoutes

const idOf = ({ id }: ExternalDomain) => id
const fqdnOf = ({ fqdn }: ExternalDomain) => fqdn
const first = ['fqdn', 'status']

export function ExternalDomainsScreen() {
  const { t } = useTranslation()
  const query = useRoute(listExternalDomains, {})
  const cells = useDomainCells()
  const [edited, setEdited] = useState<ExternalDomain | null>(null)
  const rowActions = useRowActions(setEdited)
  return (
    <>
      <DataGrid
        id="external-domains"
        storageKey="externalDomainsListColumnSet"
        title={t('screens.limitis-externaldomains.title')}
        grid={externalDomainColumns}
        first={first}
        rows={query.data}
        getRowId={idOf}
        getRowName={fqdnOf}
        renderCell={cells}
        rowActions={rowActions}
        error={query.error}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
        empty={{
          icon: IconWorldShare,
          title: t('limitis.external.empty'),
          hint: t('limitis.external.emptyHint'),
          action: <CreateButton />,
        }}
        toolbar={() => <CreateButton />}
      />
      {edited !== null && <EditDialog domain={edited} onClose={() => setEdited(null)} />}
    </>
  )
}

function CreateButton() {
  const { t } = useTranslation()
  return (
    <Can access={createExternalDomain.access}>
      <Button component={Link} to={addPath} leftSection={<IconPlus size={16} />}>
        {t('limitis.create')}
      </Button>
    </Can>
  )
}

function useRowActions(
  edit: (domain: ExternalDomain) => void,
): (row: ExternalDomain) => readonly RowAction[] {
  const { t } = useTranslation()
  const user = useUser()
  const confirm = useConfirm()
  const copy = useCopyFqdn()
  const deletion = useAction(deleteExternalDomain, [listExternalDomains])

  async function remove({ id, fqdn }: ExternalDomain) {
    const yes = t('limitis.delete')
    const more = <Text c="dimmed">{t('limitis.external.deleteMeaning')}</Text>
    if (!(await confirm({ title: fqdn, text: t('confirm.delete'), more, yes, danger: true }))) return
    try {
      await deletion.mutateAsync({ params: { id } })
      notifyDone(fqdn, t('limitis.external.deleted'))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      notifyFailed(fqdn, error)
    }
  }

  return (domain) => {
    const actions: readonly (RowAction | false)[] = [
      can(user, editExternalDomain.access) && {
        key: 'edit',
        label: t('limitis.edit'),
        icon: <IconPencil size={16} />,
        run: () => edit(domain),
      },
      copy(domain),
      can(user, deleteExternalDomain.access) && {
        key: 'delete',
        label: t('limitis.delete'),
        icon: <IconTrash size={16} />,
        danger: true,
        run: () => void remove(domain),
      },
    ]
    return actions.filter((action) => action !== false)
  }
}
