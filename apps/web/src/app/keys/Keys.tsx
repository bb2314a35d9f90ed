import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { loadTexts } from '../../platform/i18n.ts'
import { retryLoad } from '../../platform/load-code.ts'
import { usePlainKey } from '../../ui/use-plain-key.ts'
import { isKeysOpen, onKeysChange, showKeys } from './keys-state.ts'

const KeysDialog = lazy(() =>
  retryLoad(async () => {
    await loadTexts('screens')
    return import('./KeysDialog.tsx')
  }),
)

/** The dialog with all keys, which `?` opens on every screen. */
export function Keys() {
  const isOpen = useSyncExternalStore(onKeysChange, isKeysOpen)
  const [wasOpened, setWasOpened] = useState(false)
  if (isOpen && !wasOpened) setWasOpened(true)
  usePlainKey('?', () => showKeys(true))
  return (
    wasOpened && (
      <Suspense>
        <KeysDialog opened={isOpen} onClose={() => showKeys(false)} />
      </Suspense>
    )
  )
}
