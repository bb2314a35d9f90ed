import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { ActionItems } from '../../ui/ActionItems.tsx'
import type { RowAction } from '../../ui/data-grid/types.ts'
import styles from './attention.module.css'
import type { Target } from './use-handling.tsx'
import type { useHandlingActions } from './use-handling-actions.ts'
import { useSubject } from './use-subject.ts'

interface Props {
  readonly target: Target
  /** The next action, then others for the menu. */
  readonly next: readonly RowAction[]
  readonly handling: ReturnType<typeof useHandlingActions>
}

export function EntryButtons({ target, next: [first, ...others], handling }: Props) {
  const { t } = useTranslation()
  const subject = useSubject()(target)
  const acknowledgement = handling.acknowledgement(target)
  return (
    <div className={styles.buttons}>
      {first && <NextAction action={first} />}
      {acknowledgement && (
        <Tooltip label={acknowledgement.label}>
          <ActionIcon
            variant="default"
            size={28}
            aria-label={t('attention.acknowledgeNamed', { subject })}
            data-acknowledge=""
            onClick={({ currentTarget }) => void focusNext(currentTarget, acknowledgement.run)}
          >
            <acknowledgement.icon size={16} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      )}
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <ActionIcon variant="default" size={28} aria-label={t('attention.actionsFor', { subject })}>
            <IconDots size={16} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionItems actions={handling.actionsOf(target)} />
          {others.length > 0 && <Menu.Divider />}
          <ActionItems actions={others} />
        </Menu.Dropdown>
      </Menu>
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

/** The row of the button disappears, and the focus with it: the same button of the next row takes it, else the previous one. */
async function focusNext(button: HTMLElement, change: () => Promise<unknown>) {
  const all = [...document.querySelectorAll<HTMLElement>('[data-acknowledge]')]
  const at = all.indexOf(button)
  const neighbour = all[at + 1] ?? all[at - 1]
  await change()
  const until = performance.now() + waitMs
  // The list is rendered a moment after it was read again.
  const focusOnceGone = () => {
    if (button.isConnected) {
      if (performance.now() < until) requestAnimationFrame(focusOnceGone)
    } else if (document.activeElement === document.body) neighbour?.focus()
  }
  focusOnceGone()
}
