import { can } from '@kustos/contract/permissions'
import { type ThirdParty, thirdPartiesRoutes, thirdPartyColumns } from '@kustos/contract/third-parties'
import { Button, Switch } from '@mantine/core'
import { IconScale, IconTag, IconWorld, IconWorldDownload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { displayHost } from '../../entities/tracking/display-host.ts'
import { loadsPath } from '../../entities/tracking/paths.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { Can } from '../../ui/Can.tsx'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells, RowActions } from '../../ui/data-grid/types.ts'
import { ClassifyDialog } from './ClassifyDialog.tsx'
import { PolicyDialog } from './PolicyDialog.tsx'

const { classifyThirdParty, editTrackingPolicy, listThirdParties } = thirdPartiesRoutes

/** The category may differ from web to web. */
const getId = ({ host, entity, category }: ThirdParty) => `${host} ${entity} ${category}`
const needsReview = ({ decision }: ThirdParty) => decision === 'review'

const cells: Cells<ThirdParty> = {
  host: ({ host }) => displayHost(host),
  webs: ({ host, webs }) => <GridLink to={loadsPath(host)}>{String(webs)}</GridLink>,
}

/** What webs load from others. */
export default function ThirdPartiesScreen() {
  const { t } = useTranslation()
  const user = useUser()
  const query = useRoute(listThirdParties, {})
  const [searchParams] = useSearchParams()
  const onlyReview = searchParams.get('review') === '1'
  const [classified, setClassified] = useState<ThirdParty | null>(null)
  const [editsPolicy, setEditsPolicy] = useState(false)
  const all = query.data?.data
  const reviewed = useMemo(() => all?.filter(needsReview), [all])
  const rowActions = ({ host, ...row }: ThirdParty): RowActions => [
    can(user, classifyThirdParty.access) && {
      key: 'classify',
      label: t('thirdParties.classify.label'),
      icon: IconTag,
      run: () => setClassified({ host, ...row }),
    },
    { key: 'webs', label: t('thirdParties.showWebs'), icon: IconWorld, to: loadsPath(host) },
  ]
  return (
    <>
      <DataGrid
        id="third-parties"
        title={t('screens.hosting-third-parties.title')}
        grid={thirdPartyColumns}
        query={query}
        rows={onlyReview ? reviewed : all}
        hidesEmptyColumns
        getRowId={getId}
        renderCell={cells}
        rowActions={rowActions}
        empty={{
          icon: IconWorldDownload,
          title: t('thirdParties.empty'),
          hint: t('thirdParties.emptyHint'),
        }}
        toolbar={(view) => (
          <>
            <Switch
              label={t('thirdParties.onlyReview', { count: reviewed?.length ?? 0 })}
              checked={onlyReview}
              onChange={() => view.changeSearchParams({ review: onlyReview ? null : '1' })}
            />
            <Can access={editTrackingPolicy.access}>
              <Button
                variant="default"
                leftSection={<IconScale size={16} />}
                onClick={() => setEditsPolicy(true)}
              >
                {t('thirdParties.policy.label')}
              </Button>
            </Can>
          </>
        )}
      />
      {classified !== null && <ClassifyDialog row={classified} onClose={() => setClassified(null)} />}
      {editsPolicy && query.data !== undefined && (
        <PolicyDialog policy={query.data.policy} onClose={() => setEditsPolicy(false)} />
      )}
    </>
  )
}
