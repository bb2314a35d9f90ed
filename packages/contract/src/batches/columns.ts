import { defineGrid, tonedOptions } from '../grid/columns.ts'
import { batchActions } from './actions.ts'
import type { BatchSummary, BatchTarget } from './batch.ts'

export const batchColumns = defineGrid<BatchSummary>({
  name: 'batches',
  primaryColumns: ['action', 'state', 'created_at'],
  columns: [
    { key: 'id', kind: 'number', width: 90, minWidth: 56 },
    {
      key: 'action',
      kind: 'select',
      width: 200,
      minWidth: 144,
      options: batchActions.map((value) => ({ value })),
    },
    {
      key: 'state',
      kind: 'status',
      // For "fehlgeschlagen".
      width: 145,
      options: tonedOptions({
        running: 'orange',
        succeeded: 'green',
        failed: 'red',
        stopped: 'red',
        cancelled: 'grey',
      }),
    },
    { key: 'total', kind: 'number', width: 100, minWidth: 72 },
    { key: 'succeeded', kind: 'number', width: 125, minWidth: 112, value: ({ counts }) => counts.succeeded },
    { key: 'failed', kind: 'number', width: 145, minWidth: 84, value: ({ counts }) => counts.failed },
    { key: 'skipped', kind: 'number', width: 145, minWidth: 96, value: ({ counts }) => counts.skipped },
    {
      key: 'requested_by',
      kind: 'text',
      width: 210,
      value: ({ requested_by }) => requested_by?.email ?? null,
    },
    { key: 'created_at', kind: 'date', width: 165 },
    { key: 'ended_at', kind: 'date', width: 165 },
  ],
})

export const batchTargetColumns = defineGrid<BatchTarget>({
  name: 'batchTargets',
  primaryColumns: ['fqdn', 'state', 'error'],
  columns: [
    { key: 'fqdn', kind: 'text', isMonospaced: true, width: 280 },
    {
      key: 'state',
      kind: 'status',
      // For "fehlgeschlagen".
      width: 145,
      options: tonedOptions({
        waiting: 'grey',
        running: 'orange',
        succeeded: 'green',
        failed: 'red',
        skipped: 'orange',
        cancelled: 'grey',
      }),
    },
    { key: 'error', kind: 'text', width: 380, minWidth: 140 },
    { key: 'started_at', kind: 'date', width: 165 },
    { key: 'ended_at', kind: 'date', width: 165 },
  ],
})
