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

/** The keyboard's focus goes back to where it was first: a dialog that follows gives it back there too. In milliseconds. */
const focusBack = 20

/** Finds any web, any screen and any action that the user may see and use. */
export function Palette({ opened, onClose }: Props) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  useLayoutEffect(() => {
    if (opened) spotlight.open()
    else spotlight.close()
  }, [opened])

  function run(work: () => void) {
    onClose()
    setTimeout(work, focusBack)
  }

  return (
    <Spotlight.Root
      store={store}
      // The shell knows the shortcut, and loads this with its first use.
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      size={640}
      // From the top on, so that the field stays where it is while the list grows.
      centered={false}
      yOffset="10vh"
      radius="md"
      shadow="md"
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      // Whoever opens it writes at once.
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': t('palette.title') } }}
      classNames={{ content: styles.palette }}
    >
      <PaletteContent query={query} onQuery={setQuery} run={run} />
    </Spotlight.Root>
  )
}
