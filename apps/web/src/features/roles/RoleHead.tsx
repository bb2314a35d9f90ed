import { logsRoutes } from '@kustos/contract/logs'
import { type Role, usersRoutes } from '@kustos/contract/users'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconHistory, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { logPath } from '../../entities/audit-log/paths.ts'
import { useAction } from '../../platform/query.ts'
import { Can } from '../../ui/Can.tsx'
import { notifyOutcome } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import styles from './roles.module.css'
import { useFixedReason } from './use-fixed-reason.ts'

const { deleteRole, listRoles } = usersRoutes

interface Props {
  readonly role: Role
  readonly onRename: () => void
}

export function RoleHead({ role, onRename }: Props) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const deletion = useAction(deleteRole, [listRoles])
  const fixedReason = useFixedReason(role)
  const isFixed = fixedReason !== undefined

  async function remove() {
    const agreed = await confirm({
      title: role.name,
      text: t('confirm.deleteNamed.role', { name: role.name }),
      hint: t('roles.deleteMeaning'),
      yes: t('roles.delete'),
      danger: true,
    })
    if (!agreed) return
    await notifyOutcome(role.name, t('roles.done.deleted'), () =>
      deletion.mutateAsync({ params: { id: role.id } }),
    )
  }

  return (
    <div className={styles.role}>
      <div className={styles.about}>
        <span className={styles.name} title={role.name}>
          {role.name}
        </span>
        <span className={styles.holders}>{t('roles.users', { count: role.users })}</span>
      </div>
      <Menu position="bottom-end" portalProps={{ target: '#main' }}>
        <Menu.Target>
          <ActionIcon size={24} aria-label={t('roles.actionsOf', { role: role.name })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isFixed && <Menu.Label maw={280}>{fixedReason}</Menu.Label>}
          <Menu.Item leftSection={<IconPencil size={16} />} disabled={isFixed} onClick={onRename}>
            {t('roles.rename')}
          </Menu.Item>
          <Can access={logsRoutes.listLogs.access}>
            <Menu.Item
              component={Link}
              to={logPath({ subject_type: 'role', subject_id: String(role.id) })}
              leftSection={<IconHistory size={16} />}
            >
              {t('roles.log')}
            </Menu.Item>
          </Can>
          <Menu.Divider />
          <Menu.Item
            color="red"
            // Mantine's red has too little contrast for text.
            {...(!isFixed && role.users === 0 && { c: 'var(--mantine-color-error)' })}
            leftSection={<IconTrash size={16} />}
            disabled={isFixed || role.users > 0 || deletion.isPending}
            onClick={() => void remove()}
          >
            {role.users > 0 ? t('roles.deleteInUse', { count: role.users }) : t('roles.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
