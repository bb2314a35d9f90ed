import { useTranslation } from 'react-i18next'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The name of the key that keyboard shortcuts start with: Command on Apple's devices, else Control. */
export function useModifierKey(): string {
  const { t } = useTranslation()
  return isApple ? '⌘' : t('shell.controlKey')
}
