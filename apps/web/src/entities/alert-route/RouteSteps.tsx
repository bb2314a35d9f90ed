import type { AlertRoute } from '@kustos/contract/alert-routes'
import { List } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useStepText } from './use-route-text.ts'

/** The steps of a route, one below the other. */
export function RouteSteps({ steps }: Pick<AlertRoute, 'steps'>) {
  const { t } = useTranslation()
  const stepText = useStepText()
  return (
    <List type="ordered" size="sm">
      {steps.map(({ after_minutes, channels, rotas }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity but their place
        <List.Item key={index}>
          {stepText(index, after_minutes)} –{' '}
          <span translate="no">
            {[
              ...channels.map(({ name }) => name),
              ...rotas.map(({ name }) => t('alertRoutes.onCall', { rota: name })),
            ].join(', ') || '–'}
          </span>
        </List.Item>
      ))}
    </List>
  )
}
