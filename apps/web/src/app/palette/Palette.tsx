import '@mantine/spotlight/styles.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PaletteContent } from './PaletteContent.tsx'
import styles from './palette.module.css'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
}

const [store, spotlight] = createSpotlight()

/**
 * Delay in milliseconds until the focus has returned, so that a dialog that follows restores it to the same element.
 */
const focusReturnMs = 20

export function Palette({ opened, onClose }: Props) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  useLayoutEffect(() => {
    if (opened) spotlight.open()
    else spotlight.close()
  }, [opened])

  function run(work: () => void) {
    onClose()
    setTimeout(work, focusReturnMs)
  }

  return (
    <Spotlight.Root
      store={store}
      // The shell handles the shortcut.
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      size={640}
      // Keeps the field in place while the list grows.
      centered={false}
      yOffset="10vh"
      radius="md"
      shadow="md"
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      // The user starts typing at once.
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': t('palette.title') } }}
      classNames={{ content: styles.palette }}
    >
      <PaletteContent query={query} onQuery={setQuery} run={run} />
    </Spotlight.Root>
  )
}
