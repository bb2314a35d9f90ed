import { type AlertSeverity, alertSeverities } from '@kustos/contract/alert-routes'
import { type WebList, websRoutes } from '@kustos/contract/webs'
import { Group, Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { AlertPreviewList } from '../../entities/alert-route/AlertPreview.tsx'
import { useRoute } from '../../platform/query.ts'
import { useUpdatableSearchParams } from '../../platform/search-params.ts'
import { fromLocal } from '../../ui/rome-input.ts'
import { Section } from '../../ui/Section.tsx'

const namesOf = ({ data }: WebList) => data.map(({ id, fqdn }) => ({ value: String(id), label: fqdn }))
/** More text narrows them down. */
const maxShown = 20

/** Who would be alerted. The web is a part of the address, so that its page links to it. */
export function PreviewSection() {
  const { t } = useTranslation()
  const texts = t('alertRoutes.preview', { returnObjects: true })
  const [searchParams] = useSearchParams()
  const [, updateSearchParams] = useUpdatableSearchParams()
  const [severity, setSeverity] = useState<AlertSeverity>('down')
  const [at, setAt] = useState('')
  const webs = useRoute(websRoutes.listWebs, {}, { select: namesOf }).data ?? []
  const web = searchParams.get('web') ?? ''
  return (
    <Section title={texts.title}>
      <Group gap="sm" align="flex-start">
        <Select
          label={texts.web}
          data={webs}
          value={web === '' ? null : web}
          onChange={(next) => updateSearchParams({ web: next })}
          searchable
          limit={maxShown}
          openOnFocus={false}
          nothingFoundMessage={t('webs.form.noMatch')}
          w={280}
        />
        <Select
          label={texts.severity}
          data={alertSeverities.map((value) => ({ value, label: t(`alertRoutes.severities.${value}`) }))}
          value={severity}
          onChange={(next) => setSeverity(next ?? 'down')}
          allowDeselect={false}
          openOnFocus={false}
          w={200}
        />
        <TextInput
          type="datetime-local"
          label={texts.at}
          description={texts.now}
          inputWrapperOrder={['label', 'input', 'description']}
          value={at}
          onChange={({ currentTarget }) => setAt(currentTarget.value)}
          w={200}
        />
      </Group>
      {/^[1-9]\d{0,8}$/.test(web) ? (
        <AlertPreviewList web={Number(web)} severity={severity} at={fromLocal(at) || null} />
      ) : (
        <Text c="dimmed">{texts.choose}</Text>
      )}
    </Section>
  )
}
