import { formatTime } from '@kustos/contract/grid'
import { type IncidentDetails, incidentsRoutes } from '@kustos/contract/incidents'
import { Button, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../ui/Can.tsx'
import { Section } from '../../ui/Section.tsx'
import { PostMortemDialog } from './IncidentDialogs.tsx'
import styles from './incidents.module.css'

interface Props {
  readonly incident: IncidentDetails
  readonly title: string
}

export function PostMortem({ incident, title }: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { post_mortem: written } = incident
  return (
    <Section
      title={t('incidents.postMortem.title')}
      beside={
        <Can access={incidentsRoutes.writePostMortem.access}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPencil size={14} />}
            onClick={() => setOpen(true)}
          >
            {t('incidents.postMortem.edit')}
          </Button>
        </Can>
      }
    >
      {written === null || written.text === '' ? (
        <Text c="dimmed">{t('incidents.postMortem.none')}</Text>
      ) : (
        <Text className={styles.text} translate="no">
          {written.text}
        </Text>
      )}
      {written !== null && (
        <Text c="dimmed" size="sm">
          {t('incidents.postMortem.by', {
            user: written.updated_by?.email ?? '–',
            time: formatTime(written.updated_at),
          })}
        </Text>
      )}
      {isOpen && <PostMortemDialog incident={incident} title={title} onClose={() => setOpen(false)} />}
    </Section>
  )
}
