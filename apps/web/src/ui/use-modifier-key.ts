import { useTranslation } from 'react-i18next'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The name of the modifier key of shortcuts: Command on Apple's devices, else Control. */
export function useModifierKey(): string {
  const { t } = useTranslation()
  return isApple ? '⌘' : t('shell.controlKey')
}
