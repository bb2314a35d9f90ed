import {
  type Delivery,
  deliveries,
  notificationObstacle,
  type View,
  viewsRoutes,
} from '@kustos/contract/views'
import { Menu, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../../platform/i18n.ts'
import { write } from '../../../platform/query.ts'
import { notifyOutcome } from '../../notify.tsx'

const { listViews, editViewNotifications } = viewsRoutes

interface Props {
  readonly view: View
  /** Whether the list lacks columns that the view filters by. */
  readonly lacksFilters: boolean
}

/** How the user is notified of rows that enter a view, or why nobody can be. */
export function NotificationItems({ view: { id, name, list, query, notifications }, lacksFilters }: Props) {
  const { t } = useTranslation()
  const obstacle =
    notificationObstacle(list, [...new URLSearchParams(query)]) ?? (lacksFilters ? 'filter' : null)
  const choose = (delivery: Delivery) =>
    notifyOutcome(
      name,
      t(delivery === 'off' ? 'views.done.notificationsOff' : 'views.done.notificationsOn'),
      () =>
        write(editViewNotifications, { params: { id }, body: { delivery, language: currentLanguage() } }, [
          listViews,
        ]),
    )
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t('views.notifications.label')}</Menu.Label>
      {obstacle !== null && (
        <Text c="dimmed" fz="xs" px="sm" pb={4}>
          {t(`views.notifications.${obstacle}`)}
        </Text>
      )}
      {(obstacle === null || notifications !== 'off') && (
        <Menu.RadioGroup value={notifications} onChange={(value) => void choose(value as Delivery)}>
          {deliveries.map((delivery) => (
            <Menu.RadioItem
              key={delivery}
              value={delivery}
              disabled={obstacle !== null && delivery !== 'off'}
              closeMenuOnClick
            >
              {t(`views.notifications.${delivery}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      )}
    </>
  )
}
