import type { z } from 'zod'
import { type ReportingChannel, reportingChannels } from './states.ts'
import type { NewWeb, Web, webChange } from './web.ts'

export const emptyWebForm = {
  fqdn: '',
  customer: '',
  node: null as string | null,
  configured_ip: '',
  categories: [] as number[],
  tags: [] as readonly string[],
  framework_name: '',
  framework_version: '',
  comment: '',
  domain_state: null as 1 | 2 | 3 | null,
  monitoring_web_reporting_channel: [] as ReportingChannel[],
  monitoring_web_active: true,
  /** Order numbers, separated by commas. */
  auftragnr_hosting: '',
} satisfies Record<keyof NewWeb, unknown>

/** The values of a web's form; the API differs in channels, the active flag, orders and categories. */
export type WebForm = typeof emptyWebForm

const split = (list: string) =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** The body of PUT and POST. */
export function webFormToWire(form: WebForm): z.input<typeof webChange> {
  return {
    ...form,
    monitoring_web_reporting_channel: form.monitoring_web_reporting_channel.join(','),
    monitoring_web_active: form.monitoring_web_active ? 1 : 0,
    auftragnr_hosting: split(form.auftragnr_hosting),
    tags: [...form.tags],
  }
}

export function webToForm(web: Web): WebForm {
  const channels = split(web.monitoring_web_reporting_channel)
  const { domain_state: state } = web
  return {
    fqdn: web.fqdn,
    customer: web.customer,
    node: web.node,
    configured_ip: web.configured_ip,
    categories: web.categories.map((category) => category.id),
    tags: web.tags,
    framework_name: web.framework_name ?? '',
    framework_version: web.framework_version ?? '',
    comment: web.comment ?? '',
    domain_state: state === 1 || state === 2 || state === 3 ? state : null,
    monitoring_web_reporting_channel: reportingChannels.filter((channel) => channels.includes(channel)),
    monitoring_web_active: web.monitoring_web_active === 1,
    auftragnr_hosting: web.auftragnr_hosting.join(', '),
  }
}
