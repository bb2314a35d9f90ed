import { Avatar, Button, VisuallyHidden } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../platform/session.ts'
import { lazyMenu } from '../../ui/menu/lazy-menu.ts'
import { useDeferredMenu } from '../../ui/menu/use-deferred-menu.ts'

const [UserMenuItems, preload] = lazyMenu(() => import('./UserMenuItems.tsx'))

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const letters = [words.at(0), words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0],
  )
  return letters.join('').toUpperCase()
}

export function UserMenu() {
  const { t } = useTranslation()
  const user = useUser()
  const { target, close, button } = useDeferredMenu(preload)
  if (user === null) return null

  return (
    <>
      <Button {...button} variant="subtle" color="gray" px={6} rightSection={<IconChevronDown size={14} />}>
        <Avatar size={26} color="teal" variant="filled" aria-hidden="true">
          {initials(user.name)}
        </Avatar>
        <VisuallyHidden>{t('shell.userMenu', { name: user.name })}</VisuallyHidden>
      </Button>
      {target && (
        <Suspense>
          <UserMenuItems target={target} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
