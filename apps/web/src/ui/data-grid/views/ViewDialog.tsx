import { isAdmin } from '@kustos/contract/permissions'
import { usersRoutes } from '@kustos/contract/users'
import { audiences, newView, type View, viewChange, viewsRoutes } from '@kustos/contract/views'
import { Radio, Select, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../platform/client.ts'
import { useRoute, write } from '../../../platform/query.ts'
import { useUser } from '../../../platform/session.ts'
import type { FormFields } from '../../contract-form/fields.tsx'
import { findListed } from '../../contract-form/find-listed.ts'
import { FormDialog } from '../../FormDialog.tsx'
import { notifyDone } from '../../notify.tsx'
import type { ViewControl } from './use-view-control.ts'
import type { OpenDialog } from './ViewBar.tsx'

const { listViews, createView, editView } = viewsRoutes

interface Values {
  name: string
  audience: View['audience']
  role_id: number | null
}

const toValues = ({ name, audience, role }: Pick<View, 'name' | 'audience' | 'role'>): Values => ({
  name,
  audience,
  role_id: role?.id ?? null,
})
const ofRole = ({ name, audience, role_id }: Values) => ({
  name,
  audience,
  role_id: audience === 'role' ? role_id : null,
})

interface Props {
  readonly kind: OpenDialog
  readonly control: ViewControl
  readonly onClose: () => void
}

export default function ViewDialog({ kind, control, onClose }: Props) {
  const { latest } = control
  return kind === 'edit' && latest !== undefined ? (
    <EditDialog view={latest} onClose={onClose} />
  ) : (
    <NewDialog control={control} onClose={onClose} />
  )
}

/** Saves what the list shows now as another view, which is opened then. */
function NewDialog({ control, onClose }: Omit<Props, 'kind'>) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={t('views.saveAs')}
      onClose={onClose}
      schema={newView}
      source={{ name: '', audience: 'private', role: null }}
      toValues={toValues}
      toBody={(values) => ({ ...control.shown, ...ofRole(values) })}
      send={(body, signal) => write(createView, { body }, [listViews], signal)}
      onSaved={(view) => {
        notifyDone(view.name, t('views.done.saved'))
        control.openSaved(view)
      }}
      submitLabel={t('views.save')}
    >
      {(fields) => <ViewFields fields={fields} />}
    </FormDialog>
  )
}

/** Changes a view's name and who sees it, and not what it shows. */
function EditDialog({ view, onClose }: { readonly view: View; readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={t('views.editTitle', { name: view.name })}
      onClose={onClose}
      schema={viewChange}
      source={view}
      toValues={toValues}
      toBody={(values, { query, column_order, column_widths, updated_at }) => ({
        query,
        column_order,
        column_widths,
        updated_at,
        ...ofRole(values),
      })}
      send={(body, signal) => write(editView, { params: { id: view.id }, body }, [listViews], signal)}
      loadLatest={() => findListed(call(listViews, {}), view.id, 'view_not_found')}
      onSaved={(_, { name }) => notifyDone(name.trim(), t('views.done.saved'))}
      submitLabel={t('views.save')}
    >
      {(fields) => <ViewFields fields={fields} role={view.role} />}
    </FormDialog>
  )
}

interface FieldsProps {
  readonly fields: FormFields<Values>
  /** The view's role, which its editor may lack. */
  readonly role?: View['role']
}

function ViewFields({ fields: { field, values }, role = null }: FieldsProps) {
  const { t } = useTranslation()
  const user = useUser()
  const admin = user !== null && isAdmin(user)
  const all = useRoute(usersRoutes.listRoles, {}, { enabled: admin })
  const known = admin ? (all.data ?? []) : (user?.roles ?? [])
  const roles = role === null || known.some(({ id }) => id === role.id) ? known : [...known, role]
  return (
    <>
      <TextInput {...field('name', { label: t('views.fields.name') })} data-autofocus autoComplete="off" />
      <Radio.Group
        {...field('audience', { label: t('views.fields.audience'), hint: t('views.audienceHint') })}
      >
        <Stack gap="xs" my={4}>
          {audiences.map((audience) => (
            <Radio
              key={audience}
              value={audience}
              label={t(`views.audiences.${audience}`)}
              disabled={audience === 'role' && roles.length === 0 && !admin}
            />
          ))}
        </Stack>
      </Radio.Group>
      {values.audience === 'role' && (
        <Select
          {...field('role_id', { label: t('views.fields.role') })}
          required
          data={roles.map(({ id, name }) => ({ value: id, label: name }))}
          allowDeselect={false}
        />
      )}
    </>
  )
}
