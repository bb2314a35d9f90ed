import {
  type PolicyDecision,
  type PolicyDecisions,
  policyChange,
  policyDecisions,
  thirdPartiesRoutes,
  thirdPartyCategories,
} from '@kustos/contract/third-parties'
import { Select, SimpleGrid, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { write } from '../../platform/query.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { staleRoutes } from './stale-routes.ts'

interface Props {
  readonly policy: PolicyDecisions
  readonly onClose: () => void
}

/** Which categories need consent. */
export function PolicyDialog({ policy, onClose }: Props) {
  const { t } = useTranslation()
  const { options } = t('gridLabels.thirdParties', { returnObjects: true })
  const data = policyDecisions.map((value) => ({ value, label: options.decision[value] }))
  return (
    <FormDialog
      title={t('thirdParties.policy.title')}
      size="xl"
      onClose={onClose}
      schema={policyChange}
      source={policy}
      toValues={(decisions) => ({ ...decisions }) as Record<string, PolicyDecision>}
      // Only what changed, so that nothing of what others change is taken back.
      toBody={(values, source) => ({
        decisions: Object.fromEntries(
          thirdPartyCategories.flatMap((category) => {
            const decision = values[category]
            return decision === undefined || decision === source[category] ? [] : [[category, decision]]
          }),
        ),
      })}
      send={(body, signal) => write(thirdPartiesRoutes.editTrackingPolicy, { body }, staleRoutes, signal)}
      onSaved={() => notifyDone(t('thirdParties.policy.label'), t('thirdParties.policy.done'))}
      submitLabel={t('thirdParties.policy.save')}
    >
      {({ field }) => (
        <>
          <Text c="dimmed" fz="sm">
            {t('thirdParties.policy.hint')}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
            {thirdPartyCategories.map((category) => (
              <Select
                key={category}
                {...field(category, {
                  label: options.category[category],
                  show: (decision) => options.decision[decision],
                })}
                data={data}
                allowDeselect={false}
              />
            ))}
          </SimpleGrid>
        </>
      )}
    </FormDialog>
  )
}
