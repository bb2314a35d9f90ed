import { alertRoutesPath, alertRoutesRoutes } from '@kustos/contract/alert-routes'
import { Skeleton, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../platform/query.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { Section } from '../../ui/Section.tsx'
import { RouteSteps } from './RouteSteps.tsx'
import { useConditionText } from './use-route-text.ts'

/** The active routes that alerts about a customer's webs may take. */
export function CustomerRoutesSection({ code }: { readonly code: string }) {
  const { t } = useTranslation()
  const conditionText = useConditionText()
  const query = useRoute(alertRoutesRoutes.listAlertRoutes, { query: { customer: code } })
  return (
    <Section
      title={t('alertRoutes.section')}
      beside={<LinkButton to={alertRoutesPath} label={t('alertRoutes.allRoutes')} variant="default" />}
    >
      <QueryState query={query} skeleton={<Skeleton h={40} />}>
        {({ data: routes }) => {
          if (routes.length === 0) return <Text c="dimmed">{t('alertRoutes.noneOfCustomer')}</Text>
          return (
            <Stack gap="sm">
              {routes.map((route) => (
                <div key={route.id}>
                  <Text fw={600} translate="no">
                    {route.name}
                  </Text>
                  <Text c="dimmed" fz="sm">
                    {conditionText(route)}
                  </Text>
                  <RouteSteps steps={route.steps} />
                </div>
              ))}
            </Stack>
          )
        }}
      </QueryState>
    </Section>
  )
}
