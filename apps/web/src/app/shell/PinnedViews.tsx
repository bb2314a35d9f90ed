import { listsWithViews, type View, viewsRoutes } from '@kustos/contract/views'
import { Badge, NavLink, Text } from '@mantine/core'
import { IconTableOptions } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { viewIdOf, viewUrl } from '../../ui/data-grid/views/view-url.ts'
import { screens } from '../screens.ts'
import styles from './Shell.module.css'
import { useViewCounts } from './use-view-counts.ts'

const none: readonly View[] = []
const selectPinned = (views: readonly View[]) => views.filter(({ is_pinned }) => is_pinned)

/** The views that the user has pinned, with the number of rows that match each of them. */
export function PinnedViews({ folded }: { readonly folded: boolean }) {
  const { t, i18n } = useTranslation()
  const user = useUser()
  // Stays the same while other views change, so that counting does not start again.
  const { data: pinned = none } = useRoute(
    viewsRoutes.listViews,
    {},
    { enabled: user !== null, select: selectPinned },
  )
  const counts = useViewCounts(pinned, i18n.language)
  if (pinned.length === 0) return null
  return (
    <>
      {!folded && (
        <Text className={styles.pinned} c="dimmed" fz="xs" fw={600}>
          {t('views.pinned')}
        </Text>
      )}
      {pinned.map((view) => (
        <PinnedView key={view.id} view={view} count={counts.get(view.id)} folded={folded} />
      ))}
    </>
  )
}

interface Props {
  readonly view: View
  readonly count: number | undefined
  readonly folded: boolean
}

function PinnedView({ view, count, folded }: Props) {
  const { t, i18n } = useTranslation()
  const { pathname, search } = useLocation()
  const { path } = listsWithViews[view.list]
  const active = pathname === path && viewIdOf(search) === view.id
  const Icon = screens.find(({ screen }) => screen.path === path)?.screen.icon ?? IconTableOptions
  const label = count === undefined ? view.name : t('views.countOf', { name: view.name, count })
  return (
    <NavLink
      component={Link}
      to={viewUrl(view)}
      className={styles.entry}
      active={active}
      aria-current={active ? 'page' : undefined}
      aria-label={label}
      data-shell-tip={folded ? label : undefined}
      label={folded ? undefined : view.name}
      leftSection={<Icon size={16} />}
      rightSection={
        folded || count === undefined ? undefined : (
          <Badge variant="default" size="sm" tt="none">
            {count.toLocaleString(i18n.language)}
          </Badge>
        )
      }
      mod={{ folded }}
    />
  )
}
