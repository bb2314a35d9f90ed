import { type BatchSummary, batchColumns, batchesRoutes } from '@kustos/contract/batches'
import { IconStack2 } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { batchPath } from '../../entities/batch/batch-link.ts'
import { useRoute } from '../../platform/query.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells } from '../../ui/data-grid/types.ts'

const getId = ({ id }: BatchSummary) => id

export default function BatchListScreen() {
  const { t } = useTranslation()
  const query = useRoute(batchesRoutes.listBatches, {})
  const cells = useMemo(
    (): Cells<BatchSummary> => ({
      action: ({ id, action }) => (
        <GridLink to={batchPath(id)}>{t(`gridLabels.batches.options.action.${action}`)}</GridLink>
      ),
    }),
    [t],
  )
  return (
    <DataGrid
      id="batches"
      title={t('screens.batches.title')}
      grid={batchColumns}
      query={query}
      rows={query.data?.data}
      getRowId={getId}
      renderCell={cells}
      empty={{ icon: IconStack2, title: t('batches.empty'), hint: t('batches.emptyHint') }}
    />
  )
}
