import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { longTitle } from './use-confirm.tsx'

interface Message {
  /** What it is about, such as a web's name. */
  readonly title: string
  /** One paragraph each. */
  readonly texts: readonly string[]
}

/** A dialog that says something and wants an OK. */
export function useAlert(): (message: Message) => void {
  const { t } = useTranslation()
  return useCallback(
    ({ title, texts }) => {
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
