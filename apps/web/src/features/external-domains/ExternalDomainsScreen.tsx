import {
  type ExternalDomain,
  externalDomainColumns,
  externalDomainsRoutes,
} from '@kustos/contract/external-domains'
import { can } from '@kustos/contract/permissions'
import { IconPencil, IconTrash, IconWorldShare } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyFqdn, domainCells } from '../../entities/domain/domain-cells.tsx'
import { domainTexts } from '../../entities/domain/domain-texts.ts'
import { useRoute, write } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import type { RowActions } from '../../ui/data-grid/types.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { CreateButton } from './CreateButton.tsx'
import { EditDialog } from './EditDialog.tsx'

const { listExternalDomains, editExternalDomain, deleteExternalDomain } = externalDomainsRoutes

const getId = ({ id }: ExternalDomain) => id

export default function ExternalDomainsScreen() {
  const { t } = useTranslation()
  const query = useRoute(listExternalDomains, {})
  const [edited, setEdited] = useState<ExternalDomain | null>(null)
  const rowActions = useRowActions(setEdited)
  return (
    <>
      <DataGrid
        id="external-domains"
        storageKey="externalDomainsListColumnSet"
        title={t('screens.limitis-externaldomains.title')}
        grid={externalDomainColumns}
        query={query}
        rows={query.data}
        getRowId={getId}
        renderCell={domainCells}
        texts={domainTexts}
        rowActions={rowActions}
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

function useRowActions(edit: (domain: ExternalDomain) => void): (row: ExternalDomain) => RowActions {
  const { t } = useTranslation()
  const user = useUser()
  const confirm = useConfirm()

  async function remove({ id, fqdn }: ExternalDomain) {
    const yes = t('limitis.delete')
    const hint = t('limitis.external.deleteMeaning')
    if (!(await confirm({ title: fqdn, text: t('confirm.delete'), hint, yes, danger: true }))) return
    await notifyOutcome(fqdn, t('limitis.external.deleted'), () =>
      write(deleteExternalDomain, { params: { id } }, [listExternalDomains]),
    )
  }

  return (domain) => [
    can(user, editExternalDomain.access) && {
      key: 'edit',
      label: t('limitis.edit'),
      icon: IconPencil,
      run: () => edit(domain),
    },
    copyFqdn(domain),
    can(user, deleteExternalDomain.access) && {
      key: 'delete',
      label: t('limitis.delete'),
      icon: IconTrash,
      danger: true,
      run: () => void remove(domain),
    },
  ]
}
