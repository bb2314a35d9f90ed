import { formatTime } from '@kustos/contract/grid'
import { type IncidentDetails, incidentsRoutes } from '@kustos/contract/incidents'
import { Button, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../ui/Can.tsx'
import styles from '../../ui/page-sections.module.css'
import { Section } from '../../ui/Section.tsx'
import { PostMortemDialog } from './IncidentDialogs.tsx'

interface Props {
  readonly incident: IncidentDetails
  readonly title: string
}

export function PostMortem({ incident, title }: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { post_mortem: written } = incident
  const isEmpty = written === null || written.text === ''
  const edit = t(isEmpty ? 'incidents.postMortem.write' : 'incidents.postMortem.edit')
  return (
    <Section
      title={t('incidents.postMortem.title')}
      beside={
        <Can access={incidentsRoutes.writePostMortem.access}>
          <Button
            aria-label={`${edit}: ${t('incidents.postMortem.title')}`}
            variant="default"
            size="xs"
            leftSection={<IconPencil size={14} />}
            onClick={() => setOpen(true)}
          >
            {edit}
          </Button>
        </Can>
      }
    >
      {isEmpty ? (
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
