import { type MantineColorScheme, SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseLanguage, currentLanguage, languages } from '../../platform/i18n.ts'
import { notifyFailed } from '../../ui/notify.tsx'

const schemes: readonly MantineColorScheme[] = ['auto', 'light', 'dark']

export function BrowserSettings() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const language = useId()
  const scheme = useId()
  return (
    <Stack gap="md">
      <div>
        <Text id={language} mb={4}>
          {t('settings.language')}
        </Text>
        <SegmentedControl
          fullWidth
          aria-labelledby={language}
          value={currentLanguage()}
          onChange={(chosen) => {
            chooseLanguage(chosen).catch((error) => notifyFailed(t('settings.language'), error))
          }}
          data={languages.map((value) => ({ value, label: t(`settings.languages.${value}`) }))}
        />
      </div>
      <div>
        <Text id={scheme} mb={4}>
          {t('settings.colorScheme')}
        </Text>
        <SegmentedControl
          fullWidth
          aria-labelledby={scheme}
          value={colorScheme}
          onChange={setColorScheme}
          data={schemes.map((value) => ({ value, label: t(`shell.schemes.${value}`) }))}
        />
      </div>
    </Stack>
  )
}
