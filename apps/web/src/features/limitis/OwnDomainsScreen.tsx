import { limitisRoutes, type OwnDomain, ownDomainColumns } from '@kustos/contract/limitis'
import { IconWorldCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { copyFqdn, domainCells } from '../../entities/domain/domain-cells.tsx'
import { domainTexts } from '../../entities/domain/domain-texts.ts'
import { useStaleList } from '../../platform/stale-list.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { StaleNote } from '../../ui/StaleNote.tsx'

const getId = ({ id }: OwnDomain) => id

export default function OwnDomainsScreen() {
  const { t } = useTranslation()
  const query = useStaleList(limitisRoutes.listOwnDomains, {})
  return (
    <>
      <StaleNote since={query.data?.staleSince} source="limitis" />
      <DataGrid
        id="own-domains"
        storageKey="ownDomainsListColumnSet"
        title={t('screens.limitis-limitisdomains.title')}
        grid={ownDomainColumns}
        query={query}
        rows={query.data?.list}
        getRowId={getId}
        renderCell={domainCells}
        texts={domainTexts}
        rowActions={(row) => [copyFqdn(row)]}
        empty={{ icon: IconWorldCheck, title: t('limitis.own.empty'), hint: t('limitis.own.emptyHint') }}
      />
    </>
  )
}
