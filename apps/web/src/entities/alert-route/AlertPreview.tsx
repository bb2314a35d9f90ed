import { type AlertPreview, type AlertSeverity, alertRoutesRoutes } from '@kustos/contract/alert-routes'
import type { ReportingChannel } from '@kustos/contract/webs'
import { Skeleton, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../platform/query.ts'
import { FactList } from '../../ui/FactList.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { formatDuration } from '../../ui/times.ts'

interface Props {
  readonly web: number
  readonly severity: AlertSeverity
  /** ISO time; now by default. */
  readonly at?: string | null
}

/** Who would be alerted about a web, and when. */
export function AlertPreviewList({ web, severity, at = null }: Props) {
  const query = useRoute(alertRoutesRoutes.previewAlert, { body: { web, severity, at } })
  return (
    <QueryState query={query} skeleton={<Skeleton h={80} />}>
      {(preview) => <Preview preview={preview} />}
    </QueryState>
  )
}

function Preview({ preview }: { readonly preview: AlertPreview }) {
  const { t } = useTranslation()
  const texts = t('alertRoutes.preview', { returnObjects: true })
  const isReplaced = preview.routes.some(({ replaces_channels }) => replaces_channels)
  const own = preview.own_channels.map((channel) => t(`webs.form.channels.${channel as ReportingChannel}`))
  return (
    <Stack gap="sm">
      {preview.is_in_maintenance && <StatusChip tone="orange" text={texts.maintenance} />}
      <FactList
        facts={[
          [texts.own, own.join(', ') || (isReplaced ? texts.replaced : texts.noOwn)],
          [texts.subscribers, preview.subscribers.map(({ name }) => name).join(', ') || texts.nobody],
        ]}
      />
      {preview.routes.length === 0 && <Text c="dimmed">{texts.noRoute}</Text>}
      {preview.routes.map((route) => (
        <div key={route.id}>
          <Text fw={600} translate="no">
            {route.name}
          </Text>
          <FactList facts={route.steps.map((step) => [whenOf(step.minutes), whoOf(step)])} />
        </div>
      ))}
    </Stack>
  )

  function whenOf(minutes: number): string {
    return minutes === 0
      ? t('alertRoutes.step.first')
      : t('alertRoutes.preview.inMinutes', { length: formatDuration(minutes * 60, t) })
  }
  function whoOf({ channels, on_call }: AlertPreview['routes'][number]['steps'][number]): string {
    return [
      ...channels.map(({ name }) => name),
      ...on_call.map(({ rota, user }) => `${user?.name ?? t('alertRoutes.step.nobody')} (${rota.name})`),
    ].join(', ')
  }
}
