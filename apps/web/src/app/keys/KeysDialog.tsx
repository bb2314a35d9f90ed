import { Kbd, Modal, Stack, Table, Text } from '@mantine/core'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useModifierKey } from '../../ui/use-modifier-key.ts'
import { type GroupName, groupsOf, keyGroups } from './keys.ts'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
}

export default function KeysDialog({ opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('keys.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('ui.dialog.close') }}
    >
      <Groups />
    </Modal>
  )
}

function Groups() {
  const [groups] = useState(() => groupsOf(document))
  return (
    <Stack gap="lg">
      {groups.map((group) => (
        <KeyTable key={group} group={group} />
      ))}
    </Stack>
  )
}

function KeyTable({ group }: { readonly group: GroupName }) {
  const { t } = useTranslation()
  const { title, keys: texts } = t(`keys.groups.${group}`, { returnObjects: true })
  return (
    <Table verticalSpacing={6} captionSide="top">
      <Table.Caption ta="start" fw={600} c="bright" mt={0}>
        {title}
      </Table.Caption>
      <Table.Tbody>
        {Object.entries(keyGroups[group]).map(([name, chords]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400} ps={0}>
              {texts[name as keyof typeof texts]}
            </Table.Th>
            <Table.Td ta="end" pe={0}>
              <Chords chords={chords} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Chords({ chords }: { readonly chords: readonly (readonly string[])[] }) {
  const { t } = useTranslation()
  const modifierKey = useModifierKey()
  const names: Readonly<Record<string, string>> = {
    mod: modifierKey,
    ...t('keys.names', { returnObjects: true }),
  }
  return chords.map((chord, index) => (
    <Fragment key={chord.join()}>
      {index > 0 && ' '}
      <span style={{ whiteSpace: 'nowrap' }}>
        {index > 0 && (
          <Text span c="dimmed" size="xs" px={6}>
            {t('keys.or')}
          </Text>
        )}
        {chord.map((key, place) => (
          <span key={key}>
            {place > 0 && ' + '}
            <Kbd>{names[key] ?? key}</Kbd>
          </span>
        ))}
      </span>
    </Fragment>
  ))
}
