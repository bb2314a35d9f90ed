import { getDefaultZIndex, Modal } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { EarlySearch } from './early-search.ts'
import { PaletteContent } from './PaletteContent.tsx'
import styles from './palette.module.css'

interface Props {
  readonly opened: boolean
  /** Undefined if it was loaded before it was opened. */
  readonly early: EarlySearch | undefined
  readonly onClose: () => void
}

export function Palette({ opened, early, onClose }: Props) {
  const { t } = useTranslation()
  const opener = useRef<Element>(null)
  const work = useRef<() => void>(undefined)
  useLayoutEffect(() => {
    if (opened) opener.current = early === undefined ? document.activeElement : early.opener
  }, [opened, early])

  /** Mantine returns the focus 10 ms later, and not at all if the palette is opened again before. */
  function finish() {
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    work.current?.()
    work.current = undefined
  }

  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={finish}
      returnFocus={false}
      withCloseButton={false}
      padding={0}
      size={640}
      zIndex={getDefaultZIndex('max')}
      // Keeps the field in place while the list grows.
      centered={false}
      yOffset="10vh"
      radius="md"
      shadow="md"
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      // The user starts typing at once.
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': t('palette.title'), 'data-palette': '' } }}
      classNames={{ content: styles.palette, body: styles.body }}
    >
      <PaletteContent
        early={early}
        run={(next) => {
          work.current = next
          onClose()
        }}
      />
    </Modal>
  )
}
