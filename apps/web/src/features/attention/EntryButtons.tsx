import { ActionIcon, Button } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { RowAction } from '../../ui/data-grid/types.ts'
import { lazyMenu } from '../../ui/menu/lazy-menu.ts'
import { useDeferredMenu } from '../../ui/menu/use-deferred-menu.ts'
import styles from './attention.module.css'
import type { EntryTools } from './entry-tools.ts'
import type { Target } from './use-handling.tsx'
import { useHandlingActions } from './use-handling-actions.ts'
import { useSubject } from './use-subject.ts'

// Hundreds of rows would each have one that is never opened.
const [EntryMenu, preloadMenu] = lazyMenu(() => import('./EntryMenu.tsx'))

interface Props {
  readonly target: Target
  /** The next action, then others for the menu. */
  readonly next: readonly RowAction[]
  readonly openDialog: EntryTools['openDialog']
}

export function EntryButtons({ target, next: [first, ...others], openDialog }: Props) {
  const { t } = useTranslation()
  const subject = useSubject()(target)
  const handling = useHandlingActions(openDialog)
  const menu = useDeferredMenu(preloadMenu)
  const menuLabel = t('attention.actionsFor', { subject })
  const acknowledgement = handling.acknowledgement(target)
  return (
    <div className={styles.buttons}>
      {first && <NextAction action={first} />}
      {acknowledgement && (
        <ActionIcon
          variant="default"
          size={28}
          title={acknowledgement.label}
          aria-label={t('attention.acknowledgeNamed', { subject })}
          data-acknowledge=""
          onClick={({ currentTarget }) => void focusNext(currentTarget, acknowledgement.run)}
        >
          <acknowledgement.icon size={16} aria-hidden="true" />
        </ActionIcon>
      )}
      <ActionIcon {...menu.button} variant="default" size={28} aria-label={menuLabel}>
        <IconDots size={16} aria-hidden="true" />
      </ActionIcon>
      {menu.target && (
        <Suspense>
          <EntryMenu
            target={menu.target}
            onClose={menu.close}
            label={menuLabel}
            handling={handling.actionsOf(target)}
            others={others}
          />
        </Suspense>
      )}
    </div>
  )
}

function NextAction({ action }: { readonly action: RowAction }) {
  const look = { size: 'xs', variant: 'default', leftSection: <action.icon size={14} /> } as const
  return 'to' in action ? (
    <Button {...look} component={Link} to={action.to}>
      {action.label}
    </Button>
  ) : (
    <Button {...look} onClick={action.run}>
      {action.label}
    </Button>
  )
}

const waitMs = 2_000

/**
 * The row of the button disappears, and the focus with it. The same button of the next row takes it: only of the same kind, so that
 * nobody who keeps pressing Enter acknowledges others. After the last row its heading does, or that of the whole list.
 */
async function focusNext(button: HTMLElement, change: () => Promise<unknown>) {
  const kind = button.closest('section')
  const list = kind?.parentElement?.closest('section')
  const readButtons = () => [...(kind?.querySelectorAll<HTMLElement>('[data-acknowledge]') ?? [])]
  const at = readButtons().indexOf(button)
  const next = readButtons()[at + 1]
  function focusNeighbour() {
    if (next?.isConnected) return next.focus()
    const section = kind?.isConnected ? kind : list
    // One that was not listed before.
    const added = section === kind && readButtons()[at]
    if (added) return added.focus()
    const heading = section?.querySelector<HTMLElement>('h2, h3')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus()
  }
  button.dataset.movesFocus = ''
  await change()
  const until = performance.now() + waitMs
  // The list is rendered a moment after it was read again.
  const focusOnceGone = () => {
    if (button.isConnected) {
      if (performance.now() < until) requestAnimationFrame(focusOnceGone)
      else delete button.dataset.movesFocus
    } else if (document.activeElement === document.body) focusNeighbour()
  }
  focusOnceGone()
}
