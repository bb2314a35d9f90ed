import { z } from 'zod'
import type { Requirement } from '../permissions.ts'
import { route } from '../route.ts'
import { id } from '../text.ts'
import { alertChannel, alertChannelChange, channelTest, newAlertChannel } from './channel.ts'

const editors = { any: ['edit alert channels'] } as const satisfies Requirement
const readers: Requirement = { any: ['edit alert channels', 'view monitoring web statistic'] }
const confirmation = 'required'

export const alertChannelsRoutes = {
  listAlertChannels: route('GET', '/api/alert-channels', {
    summary:
      'Where alerts can be sent, with the state of each channel. Those from the configuration are included, secrets are not.',
    access: readers,
    response: z.object({ data: z.array(alertChannel) }),
  }),
  createAlertChannel: route('POST', '/api/alert-channels', {
    summary: 'Adds a channel. `url` and `key` are stored encrypted and never returned.',
    access: editors,
    confirmation,
    body: newAlertChannel,
    status: 201,
    response: z.object({ id }),
  }),
  editAlertChannel: route('PUT', '/api/alert-channels/:id', {
    summary:
      'Changes a channel. Without `url` and `key` the stored ones stay. 409 for one from the configuration, and if it has changed since `updated_at`.',
    access: editors,
    confirmation,
    body: alertChannelChange,
    errors: [409],
  }),
  deleteAlertChannel: route('DELETE', '/api/alert-channels/:id', {
    summary:
      'Deletes a channel. Alerts that wait for it go to the fallback channel, and are lost without one. 409 for one that the configuration has, or that an alert route uses.',
    access: editors,
    confirmation,
    errors: [409],
  }),
  testAlertChannel: route('POST', '/api/alert-channels/:id/test', {
    summary:
      'Sends a test message and waits for the answer of the service. 429 within ten seconds of the last test, 502 if no worker sends it.',
    access: editors,
    response: channelTest,
    errors: [429, 502],
  }),
} as const
