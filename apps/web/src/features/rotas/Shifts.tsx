import { formatTime } from '@kustos/contract/grid'
import { can } from '@kustos/contract/permissions'
import { type Rota, type RotaOverride, rotasRoutes, type Shift } from '@kustos/contract/rotas'
import { ActionIcon, Anchor, Box, Group, Stack, Table, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { write } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { ScrollTable } from '../../ui/ScrollTable.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { findUnlistedOverrides } from './find-unlisted-overrides.ts'
import { staleRoutes } from './stale-routes.ts'

const shownFirst = 6

/** The shifts of the next weeks. */
export function Shifts({ rota }: { readonly rota: Rota }) {
  const { t } = useTranslation()
  const labels = t('rotas.fields', { returnObjects: true })
  const [isWhole, setWhole] = useState(false)
  const all = [...(rota.now === null ? [] : [rota.now]), ...rota.next]
  const shown = isWhole ? all : all.slice(0, shownFirst)
  return (
    <>
      <ScrollTable
        label={t('rotas.shifts', { rota: rota.name })}
        columns={[
          { label: labels.user },
          { label: labels.from },
          { label: labels.to },
          { label: labels.note, visibleFrom: 'sm' },
        ]}
        miw={{ sm: 620 }}
      >
        {shown.map((shift) => (
          <ShiftRow key={`${shift.from} ${shift.override_id}`} rota={rota} shift={shift} />
        ))}
      </ScrollTable>
      {shown.length < all.length && (
        <Anchor component="button" type="button" fz="sm" ta="start" onClick={() => setWhole(true)}>
          {t('rotas.showAll')}
        </Anchor>
      )}
      <OtherOverrides rota={rota} />
    </>
  )
}

/** Overrides that no shift above shows. */
function OtherOverrides({ rota }: { readonly rota: Rota }) {
  const { t } = useTranslation()
  const others = findUnlistedOverrides(rota)
  if (others.length === 0) return null
  const clock = (iso: string) => formatTime(iso).slice(0, 16)
  return (
    <Stack gap={6}>
      <Text fz="sm" c="dimmed">
        {t('rotas.otherOverrides')}
      </Text>
      {others.map((override) => (
        <Group key={override.id} gap="2px 8px">
          <Text fz="sm">{`${override.user.name}, ${clock(override.from)} – ${clock(override.to)}`}</Text>
          <OverrideNote rota={rota} override={override} />
        </Group>
      ))}
    </Stack>
  )
}

interface RowProps {
  readonly rota: Rota
  readonly shift: Shift
}

function ShiftRow({ rota, shift }: RowProps) {
  const { t } = useTranslation()
  const clock = (iso: string) => formatTime(iso).slice(0, 16)
  const override = rota.overrides.find(({ id }) => id === shift.override_id)
  const mark = override && (
    <Group gap="2px 8px">
      <StatusChip tone="orange" text={t('rotas.overridden')} />
      <OverrideNote rota={rota} override={override} />
    </Group>
  )
  return (
    <Table.Tr>
      <Table.Td fw={shift === rota.now ? 600 : 400}>
        {shift.user === null ? <StatusChip tone="red" text={t('rotas.nobody')} /> : shift.user.name}
        <Box hiddenFrom="sm">{mark}</Box>
      </Table.Td>
      <Table.Td>{clock(shift.from)}</Table.Td>
      <Table.Td>{clock(shift.to)}</Table.Td>
      <Table.Td visibleFrom="sm">{mark}</Table.Td>
    </Table.Tr>
  )
}

/** Its note, and the button that deletes it. */
function OverrideNote({ rota, override }: { readonly rota: Rota; readonly override: RotaOverride }) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const user = useUser()
  const label = t('rotas.deleteOverride', { user: override.user.name })
  const mayDelete = user?.id === override.user.id || can(user, rotasRoutes.editRota.access)
  async function remove() {
    const question = { text: t('rotas.deleteOverrideText'), yes: t('rotas.delete') }
    if (!(await confirm({ title: label, ...question }))) return
    await notifyOutcome(rota.name, t('rotas.done.undone'), () =>
      write(
        rotasRoutes.deleteOverride,
        { params: { id: String(rota.id), override: String(override.id) } },
        staleRoutes,
      ),
    )
  }
  return (
    <>
      {override.note !== null && (
        <Text span c="dimmed" fz="sm" translate="no">
          {override.note}
        </Text>
      )}
      {mayDelete && (
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} onClick={() => void remove()}>
          <IconX size={14} />
        </ActionIcon>
      )}
    </>
  )
}
