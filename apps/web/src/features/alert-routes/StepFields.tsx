import { alertChannelsRoutes } from '@kustos/contract/alert-channels'
import { maxSteps } from '@kustos/contract/alert-routes'
import { rotasRoutes } from '@kustos/contract/rotas'
import { ActionIcon, Button, Fieldset, Group, Input, MultiSelect, NumberInput, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useStepText } from '../../entities/alert-route/use-route-text.ts'
import { useRoute } from '../../platform/query.ts'
import { type FormFields, inputOrder } from '../../ui/contract-form/fields.tsx'
import { emptyStep, type RouteForm, type StepForm } from './route-form.ts'

interface Named {
  readonly id: number
  readonly name: string
}

/** The steps of a route: whom each alerts, and how long after the one before. */
export function StepFields({ fields: { field, values } }: { readonly fields: FormFields<RouteForm> }) {
  const { t } = useTranslation()
  const stepText = useStepText()
  const labels = t('alertRoutes.fields', { returnObjects: true })
  const channels = useRoute(alertChannelsRoutes.listAlertChannels, {}).data?.data ?? []
  const rotas = useRoute(rotasRoutes.listRotas, {}).data?.data ?? []
  const optionsOf = (rows: readonly Named[]) =>
    rows.map(({ id, name }) => ({ value: String(id), label: name }))
  const namesOf = (rows: readonly Named[], ids: readonly string[]) =>
    ids.map((id) => rows.find((row) => String(row.id) === id)?.name ?? id)
  function textOf(step: StepForm, index: number) {
    const onCall = namesOf(rotas, step.rotas).map((rota) => t('alertRoutes.onCall', { rota }))
    const names = [...namesOf(channels, step.channels), ...onCall].join(', ')
    return `${stepText(index, Number(step.after_minutes))} – ${names || '–'}`
  }
  const { onChange, error, description } = field('steps', {
    label: labels.what,
    show: (steps) => steps.map(textOf).join('; '),
  })
  const value = values.steps
  const change = (index: number, changed: Partial<StepForm>) =>
    onChange(value.map((step, place) => (place === index ? { ...step, ...changed } : step)))
  const nextKey = Math.max(...value.map(({ key }) => key), 0) + 1
  return (
    <Input.Wrapper error={error} description={description} inputWrapperOrder={inputOrder} data-path="steps">
      <Stack gap="sm">
        {value.map((step, index) => (
          <Fieldset
            key={step.key}
            legend={index === 0 ? labels.firstStep : t('alertRoutes.fields.step', { number: index + 1 })}
          >
            <Stack gap="xs">
              {index > 0 && (
                <Group gap="xs" align="flex-end">
                  <NumberInput
                    label={labels.after_minutes}
                    value={step.after_minutes}
                    onChange={(after_minutes) => change(index, { after_minutes })}
                    min={1}
                    allowDecimal={false}
                    flex={1}
                  />
                  <ActionIcon
                    variant="default"
                    size="lg"
                    aria-label={t('alertRoutes.fields.removeStep', { number: index + 1 })}
                    onClick={() => onChange(value.filter((_, place) => place !== index))}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              )}
              <MultiSelect
                label={labels.channels}
                value={step.channels}
                onChange={(chosen) => change(index, { channels: chosen })}
                data={optionsOf(channels)}
                searchable
                openOnFocus={false}
              />
              <MultiSelect
                label={labels.rotas}
                value={step.rotas}
                onChange={(chosen) => change(index, { rotas: chosen })}
                data={optionsOf(rotas)}
                searchable
                openOnFocus={false}
              />
            </Stack>
          </Fieldset>
        ))}
        {value.length < maxSteps && (
          <div>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} />}
              onClick={() => onChange([...value, emptyStep(nextKey)])}
            >
              {labels.addStep}
            </Button>
          </div>
        )}
      </Stack>
    </Input.Wrapper>
  )
}
