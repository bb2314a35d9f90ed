import { type View, viewPath, viewsRoutes } from '@kustos/contract/views'
import { Menu, Text } from '@mantine/core'
import {
  IconCheck,
  IconDeviceFloppy,
  IconHome,
  IconLink,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconTrash,
} from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router-dom'
import { write } from '../../../platform/query.ts'
import { useUser } from '../../../platform/session.ts'
import { copyAndNotify } from '../../copy.ts'
import { notifyOutcome } from '../../notify.tsx'
import { useConfirm } from '../../use-confirm.tsx'
import { NotificationItems } from './NotificationItems.tsx'
import type { ViewControl } from './use-view-control.ts'
import type { OpenDialog } from './ViewBar.tsx'
import { viewUrl } from './view-url.ts'

const { listViews, deleteView, editViewPreference } = viewsRoutes

interface Props {
  readonly control: ViewControl
  readonly onDialog: (dialog: OpenDialog) => void
  /** The button. */
  readonly children: ReactElement
}

export function ViewMenu({ control, onDialog, children }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  const { views, view, plainUrl } = control
  const own = views.views.filter(({ owner }) => owner.id === user?.id)
  const shared = views.views.filter(({ owner }) => owner.id !== user?.id)
  return (
    <Menu position="bottom-start" withinPortal={false} width={300}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown mah="min(70dvh, 560px)" style={{ overflowY: 'auto' }}>
        <Menu.Item
          component={Link}
          to={plainUrl}
          leftSection={<Mark isCurrent={view === undefined} />}
          aria-current={view === undefined || undefined}
        >
          {t('views.plain')}
        </Menu.Item>
        <ViewItems label={t('views.own')} views={own} current={view} />
        <ViewItems label={t('views.shared')} views={shared} current={view} />
        <Menu.Divider />
        <Menu.Item leftSection={<IconDeviceFloppy size={16} />} onClick={() => onDialog('new')}>
          {t('views.saveAs')}
        </Menu.Item>
        {view !== undefined && !control.isMissing && (
          <CurrentItems view={control.latest ?? view} control={control} onDialog={onDialog} />
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

const Mark = ({ isCurrent }: { readonly isCurrent: boolean }) => (
  <IconCheck size={16} aria-hidden="true" style={{ visibility: isCurrent ? 'visible' : 'hidden' }} />
)

interface ItemsProps {
  readonly label: string
  readonly views: readonly View[]
  readonly current: View | undefined
}

function ViewItems({ label, views, current }: ItemsProps) {
  const { t } = useTranslation()
  if (views.length === 0) return null
  const facts = ({ audience, role, is_default, is_pinned, owner, is_editable }: View) => [
    audience === 'role' ? role?.name : audience === 'everyone' && t('views.audiences.everyone'),
    label === t('views.shared') && owner.name,
    is_default && t('views.isDefault'),
    is_pinned && t('views.isPinned'),
    !is_editable && t('views.isReadOnly'),
  ]
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {views.map((view) => (
        <Menu.Item
          key={view.id}
          component={Link}
          to={viewUrl(view)}
          leftSection={<Mark isCurrent={view.id === current?.id} />}
          aria-current={view.id === current?.id || undefined}
        >
          <span style={{ overflowWrap: 'anywhere' }}>{view.name}</span>
          <Text c="dimmed" fz="xs" component="div">
            {facts(view).filter(Boolean).join(' · ')}
          </Text>
        </Menu.Item>
      ))}
    </>
  )
}

interface CurrentProps extends Pick<Props, 'control' | 'onDialog'> {
  readonly view: View
}

/** What can be done with the open view. */
function CurrentItems({ view, control, onDialog }: CurrentProps) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const { id, name, is_pinned, is_default, is_editable, audience } = view
  const prefer = (change: Partial<Pick<View, 'is_pinned' | 'is_default'>>, done: string) =>
    notifyOutcome(name, done, () =>
      write(editViewPreference, { params: { id }, body: { is_pinned, is_default, ...change } }, [listViews]),
    )
  async function remove() {
    const text = t(audience === 'private' ? 'views.delete.private' : 'views.delete.shared', { name })
    if (!(await confirm({ text, yes: t('views.delete.yes'), danger: true }))) return
    // First, since the deleted view would be reported as missing.
    const isDeleted = await notifyOutcome(name, t('views.done.deleted'), async () => {
      await write(deleteView, { params: { id } }, [])
    })
    if (isDeleted) void navigate(control.plainUrl)
  }
  return (
    <>
      <Menu.Item
        leftSection={is_pinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
        onClick={() =>
          void prefer({ is_pinned: !is_pinned }, t(is_pinned ? 'views.done.unpinned' : 'views.done.pinned'))
        }
      >
        {t(is_pinned ? 'views.unpin' : 'views.pin')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconHome size={16} />}
        onClick={() =>
          void prefer(
            { is_default: !is_default },
            t(is_default ? 'views.done.noDefault' : 'views.done.default'),
          )
        }
      >
        {t(is_default ? 'views.dropDefault' : 'views.makeDefault')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconLink size={16} />}
        onClick={() => void copyAndNotify(`${location.origin}${viewPath(view)}`, t('views.done.copied'))}
      >
        {t('views.copyLink')}
      </Menu.Item>
      <NotificationItems view={view} lacksFilters={(control.missingParts?.filters.length ?? 0) > 0} />
      {is_editable && (
        <>
          <Menu.Divider />
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onDialog('edit')}>
            {t('views.edit')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => void remove()}>
            {t('views.delete.item')}
          </Menu.Item>
        </>
      )}
    </>
  )
}
