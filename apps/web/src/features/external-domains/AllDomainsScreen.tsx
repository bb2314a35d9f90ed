import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import { allDomainColumns, allDomains, anyDomainKey, limitisRoutes } from '@kustos/contract/limitis'
import { can } from '@kustos/contract/permissions'
import { websRoutes } from '@kustos/contract/webs'
import { IconWorldSearch } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { copyFqdn, domainCells } from '../../entities/domain/domain-cells.tsx'
import { domainTexts } from '../../entities/domain/domain-texts.ts'
import { useRememberListUrl } from '../../platform/list-url.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { useStaleList } from '../../platform/stale-list.ts'
import { Can } from '../../ui/Can.tsx'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { StaleNote } from '../../ui/StaleNote.tsx'
import { CreateButton } from './CreateButton.tsx'

const { listExternalDomains } = externalDomainsRoutes
const { listOwnDomains } = limitisRoutes
const none: readonly never[] = []

/** Own and external domains in one list; users who may only see one kind have that half. */
export default function AllDomainsScreen() {
  const { t } = useTranslation()
  useRememberListUrl()
  const user = useUser()
  const maySee = { own: can(user, listOwnDomains.access), external: can(user, listExternalDomains.access) }
  const own = useStaleList(listOwnDomains, {}, { enabled: maySee.own })
  const external = useRoute(listExternalDomains, {}, { enabled: maySee.external })

  // If one half fails, the other is still shown.
  const ownRows = maySee.own ? own.data?.list : none
  const externalRows = maySee.external ? external.data : none
  const isComplete =
    (ownRows !== undefined || own.error !== null) && (externalRows !== undefined || external.error !== null)
  const hasAny = (maySee.own && ownRows !== undefined) || (maySee.external && externalRows !== undefined)
  const rows = useMemo(
    () => (isComplete && hasAny ? allDomains(ownRows ?? none, externalRows ?? none) : undefined),
    [isComplete, hasAny, ownRows, externalRows],
  )
  const failed = [own, external].filter(({ error }) => error !== null)
  // The specification requires 'create webs' here; the screen behind it has its own permission.
  const create = (
    <Can access={websRoutes.createWeb.access}>
      <CreateButton />
    </Can>
  )

  return (
    <>
      <StaleNote since={own.data?.staleSince} source="limitis" />
      <DataGrid
        id="all-domains"
        storageKey="allDomainsListColumnSet"
        title={t('screens.limitis-alldomains.title')}
        grid={allDomainColumns}
        query={{
          error: failed[0]?.error ?? null,
          isFetching: failed.some(({ isFetching }) => isFetching),
          refetch: () => failed.map(({ refetch }) => refetch()),
        }}
        rows={rows}
        getRowId={anyDomainKey}
        renderCell={domainCells}
        texts={domainTexts}
        rowActions={(row) => [copyFqdn(row)]}
        empty={{
          icon: IconWorldSearch,
          title: t('limitis.all.empty'),
          hint: t('limitis.all.emptyHint'),
          action: create,
        }}
        toolbar={() => create}
      />
    </>
  )
}
