import { newOverride, type Rota, rotasRoutes } from '@kustos/contract/rotas'
import { Button, Group, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAssignees } from '../../entities/attention/HandlingFields.tsx'
import { write } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { fromLocal, toLocal } from '../../ui/rome-input.ts'
import { staleRoutes } from './stale-routes.ts'
import { suggestEnd } from './suggest-end.ts'

interface Props {
  readonly rota: Rota
  /** Whether the acting user takes over from now on. */
  readonly isOwn: boolean
  readonly onClose: () => void
}

const hourMs = 3_600_000
const presetHours = [2, 8, 24]

/** Puts a user on call for a time. */
export function OverrideDialog({ rota, isOwn, onClose }: Props) {
  const { t } = useTranslation()
  const labels = t('rotas.fields', { returnObjects: true })
  const me = useUser()
  const users = useAssignees('web_down') ?? []
  const [source] = useState(() => emptyForm(rota, isOwn ? (me?.id ?? null) : null, Date.now()))
  const nameOf = (id: string | null) => users.find((user) => String(user.id) === id)?.name ?? me?.name ?? ''
  return (
    <FormDialog
      title={t(isOwn ? 'rotas.title.takeOver' : 'rotas.title.override', { rota: rota.name })}
      onClose={onClose}
      schema={newOverride}
      source={source}
      toValues={({ id: _, ...values }) => values}
      toBody={({ user, from, to, note }) => ({
        user: Number(user),
        from: isOwn ? null : fromLocal(from) || null,
        to: fromLocal(to),
        note,
      })}
      send={(body, signal) =>
        write(rotasRoutes.addOverride, { params: { id: rota.id }, body }, staleRoutes, signal)
      }
      onSaved={(_, { user }) => notifyDone(rota.name, t('rotas.done.overridden', { user: nameOf(user) }))}
      submitLabel={t(isOwn ? 'rotas.takeOver' : 'rotas.save')}
    >
      {({ field, values }) => {
        const to = field('to', { label: labels.to, hint: labels.timeHint })
        const end = rota.now?.to
        return (
          <>
            {!isOwn && (
              <>
                <Select
                  {...field('user', { label: labels.user, show: nameOf })}
                  data={users.map(({ id, name, email }) => ({
                    value: String(id),
                    label: `${name} (${email})`,
                  }))}
                  searchable
                  openOnFocus={false}
                  data-autofocus
                />
                <TextInput {...field('from', { label: labels.from })} type="datetime-local" />
              </>
            )}
            <Group gap={6} role="group" aria-label={labels.presets}>
              {presetHours.map((count) => (
                <Button
                  key={count}
                  variant="default"
                  size="xs"
                  onClick={() => to.onChange(suggestEnd(isOwn ? '' : values.from, count, Date.now()))}
                >
                  {t('rotas.fields.hours', { count })}
                </Button>
              ))}
              {isOwn && end !== undefined && (
                <Button variant="default" size="xs" onClick={() => to.onChange(toLocal(end))}>
                  {labels.endOfShift}
                </Button>
              )}
            </Group>
            <TextInput {...to} type="datetime-local" data-autofocus={isOwn || undefined} />
            <TextInput {...field('note', { label: labels.note })} autoComplete="off" />
          </>
        )
      }}
    </FormDialog>
  )
}

/** From now on for eight hours. */
const emptyForm = ({ id }: Rota, user: number | null, now: number) => ({
  id,
  user: user === null ? null : String(user),
  from: toLocal(new Date(now).toISOString()),
  to: toLocal(new Date(now + 8 * hourMs).toISOString()),
  note: '',
})
