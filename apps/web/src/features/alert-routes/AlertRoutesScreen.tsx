import { type AlertRoute, alertRoutesRoutes } from '@kustos/contract/alert-routes'
import { Button, Card, Skeleton, Text } from '@mantine/core'
import { IconPlus, IconRoute } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../platform/query.ts'
import { Can } from '../../ui/Can.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import styles from '../../ui/page-sections.module.css'
import { QueryState } from '../../ui/QueryState.tsx'
import { PreviewSection } from './PreviewSection.tsx'
import { RouteCard } from './RouteCard.tsx'
import { AddRouteDialog, EditRouteDialog } from './RouteDialog.tsx'
import { useMoveRoute } from './use-move-route.ts'

/** Rules that say who is alerted, and who would be. */
export default function AlertRoutesScreen() {
  const { t } = useTranslation()
  const query = useRoute(alertRoutesRoutes.listAlertRoutes, {})
  const [isAdding, setAdding] = useState(false)
  const [edited, setEdited] = useState<AlertRoute | null>(null)
  const move = useMoveRoute()
  const add = (
    <Can access={alertRoutesRoutes.createAlertRoute.access}>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
        {t('alertRoutes.add')}
      </Button>
    </Can>
  )
  return (
    <>
      <PageHeader title={t('screens.monitoring-alert-routes.title')} actions={query.data && add} />
      <div className={styles.sections}>
        <QueryState query={query} skeleton={<Skeleton h={300} />}>
          {({ data: routes }) =>
            routes.length === 0 ? (
              <Card>
                <EmptyState
                  icon={IconRoute}
                  title={t('alertRoutes.none')}
                  hint={t('alertRoutes.noneHint')}
                  action={add}
                />
              </Card>
            ) : (
              <div className={styles.sections}>
                <Text c="dimmed">{t('alertRoutes.intro')}</Text>
                {routes.map((route) => (
                  <RouteCard
                    key={route.id}
                    route={route}
                    routes={routes}
                    onMove={(by) => void move(routes, route, by)}
                    onEdit={() => setEdited(route)}
                  />
                ))}
              </div>
            )
          }
        </QueryState>
        <PreviewSection />
      </div>
      {isAdding && <AddRouteDialog onClose={() => setAdding(false)} />}
      {edited !== null && <EditRouteDialog route={edited} onClose={() => setEdited(null)} />}
    </>
  )
}
