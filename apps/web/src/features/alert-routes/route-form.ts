import type { AlertRoute, AlertSeverity, NewAlertRoute } from '@kustos/contract/alert-routes'

export interface StepForm {
  /** Of the form only. */
  readonly key: number
  readonly after_minutes: number | string
  /** Ids. */
  readonly channels: string[]
  readonly rotas: string[]
}

export interface RouteForm {
  readonly name: string
  readonly is_active: boolean
  readonly customers: string[]
  readonly tags: string[]
  readonly nodes: string[]
  readonly severities: AlertSeverity[]
  readonly weekdays: string[]
  readonly from_time: string
  readonly to_time: string
  readonly replaces_channels: boolean
  readonly continues: boolean
  readonly steps: StepForm[]
}

export const emptyStep = (key: number): StepForm => ({ key, after_minutes: 15, channels: [], rotas: [] })

export const emptyForm: RouteForm = {
  name: '',
  is_active: true,
  customers: [],
  tags: [],
  nodes: [],
  severities: [],
  weekdays: [],
  from_time: '',
  to_time: '',
  replaces_channels: false,
  continues: false,
  steps: [emptyStep(0)],
}

const idsOf = (list: readonly { readonly id: number }[]) => list.map(({ id }) => String(id))

export const toForm = ({ id: _, updated_at: __, ...route }: AlertRoute): RouteForm => ({
  ...route,
  weekdays: route.weekdays.map(String),
  from_time: route.from_time ?? '',
  to_time: route.to_time ?? '',
  steps: route.steps.map(({ after_minutes, channels, rotas }, key) => ({
    key,
    after_minutes: key === 0 ? 15 : after_minutes,
    channels: idsOf(channels),
    rotas: idsOf(rotas),
  })),
})

export const toBody = (form: RouteForm) =>
  ({
    ...form,
    weekdays: form.weekdays.map(Number),
    from_time: form.from_time || null,
    to_time: form.to_time || null,
    steps: form.steps.map(({ after_minutes, channels, rotas }) => ({
      after_minutes: Number(after_minutes),
      channels: channels.map(Number),
      rotas: rotas.map(Number),
    })),
  }) satisfies NewAlertRoute
