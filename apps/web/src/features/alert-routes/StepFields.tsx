import { alertChannelsRoutes } from '@kustos/contract/alert-channels'
import { maxSteps } from '@kustos/contract/alert-routes'
import { rotasRoutes } from '@kustos/contract/rotas'
import { ActionIcon, Button, Fieldset, Group, Input, MultiSelect, NumberInput, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../platform/query.ts'
import { emptyStep, type StepForm } from './route-form.ts'

interface Props {
  readonly value: readonly StepForm[]
  readonly onChange: (steps: StepForm[]) => void
  readonly error: ReactNode
}

/** The steps of a route: whom each alerts, and how long after the one before. */
export function StepFields({ value, onChange, error }: Props) {
  const { t } = useTranslation()
  const labels = t('alertRoutes.fields', { returnObjects: true })
  const channels = useRoute(alertChannelsRoutes.listAlertChannels, {}).data?.data ?? []
  const rotas = useRoute(rotasRoutes.listRotas, {}).data?.data ?? []
  const optionsOf = (rows: readonly { readonly id: number; readonly name: string }[]) =>
    rows.map(({ id, name }) => ({ value: String(id), label: name }))
  const change = (index: number, changed: Partial<StepForm>) =>
    onChange(value.map((step, place) => (place === index ? { ...step, ...changed } : step)))
  const nextKey = Math.max(...value.map(({ key }) => key), 0) + 1
  return (
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
      {typeof error === 'string' && <Input.Error>{error}</Input.Error>}
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
  )
}
