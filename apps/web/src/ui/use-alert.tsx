import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { prepareOverlays } from './DeferredOverlays.tsx'
import { longTitle } from './use-confirm.tsx'

interface Message {
  readonly title: string
  /** One paragraph each. */
  readonly texts: readonly string[]
}

export function useAlert(): (message: Message) => Promise<void> {
  const { t } = useTranslation()
  return useCallback(
    async ({ title, texts }) => {
      await prepareOverlays()
      const id = modals.open({
        title,
        styles: longTitle,
        closeButtonProps: { 'aria-label': t('ui.alert.close') },
        children: (
          <Stack gap="xs" role="alert">
            {texts.map((text) => (
              <Text key={text} style={{ overflowWrap: 'anywhere' }}>
                {text}
              </Text>
            ))}
            <Group justify="flex-end" mt="xs">
              <Button data-autofocus onClick={() => modals.close(id)}>
                {t('ui.alert.ok')}
              </Button>
            </Group>
          </Stack>
        ),
      })
    },
    [t],
  )
}
