import { type BatchSummary, batchColumns } from '@kustos/contract/batches'
import { Button } from '@mantine/core'
import { IconHistory, IconStack2 } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { batchPath } from '../../entities/batch/batch-link.ts'
import { useRememberListUrl } from '../../platform/list-url.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells } from '../../ui/data-grid/types.ts'
import { useBatches } from './use-batches.ts'

const getId = ({ id }: BatchSummary) => id

export default function BatchListScreen() {
  const { t } = useTranslation()
  useRememberListUrl()
  const batches = useBatches()
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
      query={batches}
      rows={batches.rows}
      getRowId={getId}
      renderCell={cells}
      empty={{ icon: IconStack2, title: t('batches.empty'), hint: t('batches.emptyHint') }}
      toolbar={() =>
        batches.hasOlder && (
          <Button
            variant="default"
            leftSection={<IconHistory size={16} />}
            loading={batches.isLoadingOlder}
            onClick={() => void batches.loadOlder()}
          >
            {t('batches.older')}
          </Button>
        )
      }
    />
  )
}
