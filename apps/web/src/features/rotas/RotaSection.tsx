import { alertRoutesPath } from '@kustos/contract/alert-routes'
import { formatTime } from '@kustos/contract/grid'
import { type Rota, rotasRoutes } from '@kustos/contract/rotas'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconCalendarUser, IconHandGrab, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useWeekdayName } from '../../entities/maintenance/use-schedule-text.ts'
import { write } from '../../platform/query.ts'
import { Can } from '../../ui/Can.tsx'
import { notifyOutcome } from '../../ui/notify.tsx'
import { Section } from '../../ui/Section.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { Shifts } from './Shifts.tsx'
import { staleRoutes } from './stale-routes.ts'

interface Props {
  readonly rota: Rota
  readonly onOpen: (dialog: 'edit' | 'takeOver' | 'override') => void
}

export function RotaSection({ rota, onOpen }: Props) {
  const { t } = useTranslation()
  const weekdayName = useWeekdayName('long')
  const { handover, weekday, time, users } = rota
  const skipped = users.filter((user) => !user.can_be_on_call)
  const hint =
    handover === 'weekly'
      ? t('rotas.handover.weekly', { day: weekdayName(weekday ?? 1), time })
      : t('rotas.handover.daily', { time })
  return (
    <Section title={rota.name} hint={hint} beside={<Actions rota={rota} onOpen={onOpen} />}>
      <Now rota={rota} />
      <Shifts rota={rota} />
      {skipped.length > 0 && (
        <Text c="dimmed" fz="sm">
          {t('rotas.skipped', { users: skipped.map(({ name }) => name).join(', ') })}
        </Text>
      )}
      <Text c="dimmed" fz="sm">
        {rota.routes.length === 0 ? t('rotas.unused') : t('rotas.usedBy')}{' '}
        <Anchor component={Link} to={alertRoutesPath} inherit>
          {rota.routes.length === 0
            ? t('screens.monitoring-alert-routes.title')
            : rota.routes.map(({ name }) => name).join(', ')}
        </Anchor>
      </Text>
    </Section>
  )
}

function Now({ rota: { now, next } }: Pick<Props, 'rota'>) {
  const { t } = useTranslation()
  const clock = (iso: string) => formatTime(iso).slice(0, 16)
  if (now?.user)
    return (
      <Group gap="xs">
        <Text fw={600} fz="lg">
          {now.user.name}
        </Text>
        <StatusChip tone="green" text={t('rotas.until', { time: clock(now.to) })} />
        {now.override_id !== null && <StatusChip tone="orange" text={t('rotas.overridden')} />}
      </Group>
    )
  const [first] = next
  const isAhead = now === null && first !== undefined
  return (
    <StatusChip
      tone={isAhead ? 'grey' : 'red'}
      text={isAhead ? t('rotas.startsAt', { time: clock(first.from) }) : t('rotas.nobody')}
    />
  )
}

function Actions({ rota, onOpen }: Props) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  async function remove() {
    const question = {
      text: t('confirm.deleteNamed.rota', { name: rota.name }),
      hint: t('rotas.deleteHint'),
      yes: t('rotas.delete'),
    }
    if (!(await confirm({ title: rota.name, ...question, danger: true }))) return
    await notifyOutcome(rota.name, t('rotas.done.deleted'), () =>
      write(rotasRoutes.deleteRota, { params: { id: rota.id } }, staleRoutes),
    )
  }
  const named = (label: string) => ({
    'aria-label': `${label}: ${rota.name}`,
    variant: 'default',
    size: 'xs',
  })
  return (
    <Group gap="xs">
      <Button
        {...named(t('rotas.takeOver'))}
        leftSection={<IconHandGrab size={14} />}
        onClick={() => onOpen('takeOver')}
      >
        {t('rotas.takeOver')}
      </Button>
      <Can access={rotasRoutes.editRota.access}>
        <Button
          {...named(t('rotas.override'))}
          leftSection={<IconCalendarUser size={14} />}
          onClick={() => onOpen('override')}
        >
          {t('rotas.override')}
        </Button>
        <Button
          {...named(t('rotas.edit'))}
          leftSection={<IconPencil size={14} />}
          onClick={() => onOpen('edit')}
        >
          {t('rotas.edit')}
        </Button>
        <Button
          {...named(t('rotas.delete'))}
          leftSection={<IconTrash size={14} />}
          onClick={() => void remove()}
        >
          {t('rotas.delete')}
        </Button>
      </Can>
    </Group>
  )
}
