import { NavLink, Stack } from '@mantine/core'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { loadTexts } from '../../platform/i18n.ts'
import { retryLoad } from '../../platform/load-code.ts'
import { useUser } from '../../platform/session.ts'
import { lazyMenu } from '../../ui/menu/lazy-menu.ts'
import { useDeferredMenu } from '../../ui/menu/use-deferred-menu.ts'
import { offeredChildren, sidebarEntries } from '../access.ts'
import { type Group, isGroup, type Screen } from '../screens.ts'
import styles from './Shell.module.css'
import { useActiveScreen, useMarkedScreen } from './use-active-screen.ts'

// Not in the first load, since the screen comes first, and works without them.
const PinnedViews = lazy(() =>
  retryLoad(async () => {
    const [module] = await Promise.all([import('./PinnedViews.tsx'), loadTexts('screens')])
    return { default: module.PinnedViews }
  }),
)

const [FoldedGroupItems, preloadItems] = lazyMenu(() => import('./FoldedGroupItems.tsx'))

export function Sidebar({ folded }: { readonly folded: boolean }) {
  const user = useUser()
  return (
    <Stack gap={2}>
      {sidebarEntries(user).map((entry) => {
        if (!isGroup(entry)) return <ScreenLink key={entry.name} screen={entry} folded={folded} />
        return folded ? (
          <FoldedGroup key={entry.name} group={entry} />
        ) : (
          <OpenGroup key={entry.name} group={entry} />
        )
      })}
      <Suspense>
        <PinnedViews folded={folded} />
      </Suspense>
    </Stack>
  )
}

function ScreenLink({ screen, folded = false }: { readonly screen: Screen; readonly folded?: boolean }) {
  const { t } = useTranslation()
  const isHere = useActiveScreen()?.name === screen.name
  const active = useMarkedScreen() === screen.name
  const title = t(`screens.${screen.name}.title`)
  const { icon: Icon } = screen
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (active) link.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <NavLink
      component={Link}
      ref={link}
      to={screen.path}
      className={styles.entry}
      active={active}
      aria-current={isHere ? 'page' : active || undefined}
      aria-label={folded ? title : undefined}
      data-shell-tip={folded ? title : undefined}
      label={folded ? undefined : title}
      leftSection={<Icon size={16} />}
      mod={{ folded }}
    />
  )
}

function OpenGroup({ group }: { readonly group: Group }) {
  const { t } = useTranslation()
  const user = useUser()
  const [opened, setOpened] = useState(true)
  const { icon: Icon } = group
  return (
    <NavLink
      component="button"
      type="button"
      className={styles.entry}
      label={t(`screens.${group.name}.title`)}
      leftSection={<Icon size={16} />}
      opened={opened}
      onChange={setOpened}
      aria-expanded={opened}
      childrenOffset={26}
    >
      <Stack gap={2} pt={2}>
        {offeredChildren(group, user).map((child) => (
          <ScreenLink key={child.name} screen={child} />
        ))}
      </Stack>
    </NavLink>
  )
}

function FoldedGroup({ group }: { readonly group: Group }) {
  const { t } = useTranslation()
  const marked = useMarkedScreen()
  const { target, close, button } = useDeferredMenu(preloadItems)
  const { icon: Icon } = group
  return (
    <>
      <NavLink
        {...button}
        component="button"
        type="button"
        className={styles.entry}
        active={group.children.some(({ name }) => name === marked)}
        aria-label={t(`screens.${group.name}.title`)}
        leftSection={<Icon size={16} />}
        mod={{ folded: true }}
      />
      {target && (
        <Suspense>
          <FoldedGroupItems group={group} target={target} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
