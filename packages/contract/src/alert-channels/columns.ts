import { defineGrid } from '../grid/columns.ts'
import type { AlertChannel } from './channel.ts'
import { channelKinds, channelOrigins, channelStateOptions } from './states.ts'

export const alertChannelColumns = defineGrid<AlertChannel>({
  name: 'alertChannels',
  primaryColumns: ['name', 'state', 'kind'],
  columns: [
    { key: 'name', kind: 'text', width: 200 },
    { key: 'kind', kind: 'select', width: 125, options: channelKinds.map((value) => ({ value })) },
    { key: 'state', kind: 'status', width: 130, options: channelStateOptions },
    {
      key: 'target',
      kind: 'text',
      width: 200,
      value: ({ address, chat, host }) => address ?? chat ?? host,
    },
    { key: 'roles', kind: 'text', displayOnly: true, width: 150, value: () => null },
    { key: 'waiting', kind: 'number', width: 125, minWidth: 120 },
    { key: 'last_sent_at', kind: 'date', width: 160, minWidth: 155 },
    { key: 'error', kind: 'text', width: 260 },
    { key: 'last_failed_at', kind: 'date', width: 160, minWidth: 155 },
    {
      key: 'origin',
      kind: 'select',
      set: 'details',
      width: 140,
      options: channelOrigins.map((value) => ({ value })),
    },
    { key: 'updated_at', kind: 'date', set: 'details', width: 170 },
  ],
  sets: [{ key: 'details', isVisibleByDefault: false }],
})
