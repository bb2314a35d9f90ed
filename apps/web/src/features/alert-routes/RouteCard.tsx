import { type AlertRoute, alertRoutesRoutes } from '@kustos/contract/alert-routes'
import { ActionIcon, Group, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { RouteSteps } from '../../entities/alert-route/RouteSteps.tsx'
import { useConditionText } from '../../entities/alert-route/use-route-text.ts'
import { write } from '../../platform/query.ts'
import { Can } from '../../ui/Can.tsx'
import { notifyOutcome } from '../../ui/notify.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { staleRoutes } from './stale-routes.ts'

const { deleteAlertRoute, editAlertRoute } = alertRoutesRoutes

interface Props {
  readonly route: AlertRoute
  /** All of them, in their order. */
  readonly routes: readonly AlertRoute[]
  readonly onMove: (by: 1 | -1) => void
  readonly onEdit: () => void
}

export function RouteCard({ route, routes, onMove, onEdit }: Props) {
  const { t } = useTranslation()
  const conditionText = useConditionText()
  const place = routes.findIndex(({ id }) => id === route.id)
  return (
    <Section
      title={`${place + 1}. ${route.name}`}
      hint={conditionText(route)}
      beside={
        <Can access={editAlertRoute.access}>
          <Actions route={route} routes={routes} onMove={onMove} onEdit={onEdit} />
        </Can>
      }
    >
      {!route.is_active && <StatusChip tone="grey" text={t('alertRoutes.inactive')} />}
      <RouteSteps steps={route.steps} />
      <Text c="dimmed" fz="sm">
        {t(route.replaces_channels ? 'alertRoutes.replaces' : 'alertRoutes.adds')} ·{' '}
        {t(route.continues ? 'alertRoutes.continues' : 'alertRoutes.stops')}
      </Text>
    </Section>
  )
}

function Actions({ route: { id, name }, routes, onMove, onEdit }: Props) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  async function remove() {
    const question = {
      text: t('confirm.deleteNamed.alertRoute', { name }),
      hint: t('alertRoutes.deleteHint'),
      yes: t('alertRoutes.delete'),
    }
    if (!(await confirm({ title: name, ...question, danger: true }))) return
    await notifyOutcome(name, t('alertRoutes.done.deleted'), () =>
      write(deleteAlertRoute, { params: { id } }, staleRoutes),
    )
  }
  const look = { variant: 'default', size: 'md' } as const
  return (
    <Group gap={6} wrap="nowrap">
      <ActionIcon
        {...look}
        aria-label={t('alertRoutes.moveUp', { name })}
        disabled={id === routes[0]?.id}
        onClick={() => onMove(-1)}
      >
        <IconArrowUp size={16} />
      </ActionIcon>
      <ActionIcon
        {...look}
        aria-label={t('alertRoutes.moveDown', { name })}
        disabled={id === routes.at(-1)?.id}
        onClick={() => onMove(1)}
      >
        <IconArrowDown size={16} />
      </ActionIcon>
      <ActionIcon {...look} aria-label={`${t('alertRoutes.edit')}: ${name}`} onClick={onEdit}>
        <IconPencil size={16} />
      </ActionIcon>
      <ActionIcon {...look} aria-label={`${t('alertRoutes.delete')}: ${name}`} onClick={() => void remove()}>
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  )
}
