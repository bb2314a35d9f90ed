import { alertRoutes } from '@kustos/database/tables'
import { expect } from 'vitest'
import type { BuildCalls } from './call.ts'

/** Rotas and alert routes. */
export const onCallCalls: BuildCalls = (fixtures) => ({
  'rotas.createRota': async () => {
    const rota = { name: 'Night', handover: 'weekly', weekday: 1, time: '09:00', first_day: '2026-11-16' }
    const attributes = { ...rota, users: ['admin@kustos.test'] }
    return {
      body: { ...rota, users: [fixtures.adminId] },
      entry: {
        log_name: 'rotas',
        description: 'created',
        subject_type: 'rota',
        properties: { attributes },
      },
    }
  },
  'rotas.editRota': async () => {
    const { id, name } = await fixtures.rota()
    return {
      params: { id },
      body: { name, users: [fixtures.adminId], handover: 'daily', time: '10:00', first_day: '2026-11-01' },
      entry: {
        description: 'updated',
        subject_type: 'rota',
        subject_id: id,
        properties: { old: { time: '09:00' }, attributes: { time: '10:00' } },
      },
    }
  },
  'rotas.deleteRota': async () => {
    const { id, name } = await fixtures.rota()
    const old = expect.objectContaining({ name, users: ['admin@kustos.test'] })
    return {
      params: { id },
      entry: { description: 'deleted', subject_type: 'rota', subject_id: id, properties: { old } },
    }
  },
  'rotas.addOverride': async () => {
    const { id, name } = await fixtures.rota()
    const times = { from: '2030-01-01T20:00:00.000Z', to: '2030-01-01T21:00:00.000Z' }
    const attributes = { name, user: 'admin@kustos.test', ...times, note: null }
    return {
      params: { id },
      body: { user: fixtures.adminId, ...times },
      entry: {
        description: 'override added',
        subject_type: 'rota',
        subject_id: id,
        properties: { attributes },
      },
    }
  },
  'rotas.deleteOverride': async () => {
    const { id, name, override } = await fixtures.rota()
    const properties = { attributes: { name }, old: expect.objectContaining({ user: 'admin@kustos.test' }) }
    return {
      params: { id, override },
      entry: { description: 'override deleted', subject_type: 'rota', subject_id: id, properties },
    }
  },
  'alert-routes.createAlertRoute': async () => {
    const { id, name } = await fixtures.rota()
    const steps = [{ after_minutes: 0, channels: [], rotas: [name] }]
    return {
      body: { name: 'Night', steps: [{ rotas: [id] }] },
      entry: {
        log_name: 'alert-routes',
        description: 'created',
        subject_type: 'alert_route',
        properties: { attributes: expect.objectContaining({ name: 'Night', steps }) },
      },
    }
  },
  'alert-routes.editAlertRoute': async () => {
    const { id, name, rota } = await fixtures.alertRoute()
    return {
      params: { id },
      body: { name, steps: [{ rotas: [rota.id] }], severities: ['outage'] },
      entry: {
        description: 'updated',
        subject_type: 'alert_route',
        subject_id: id,
        properties: { old: { severities: [] }, attributes: { severities: ['outage'] } },
      },
    }
  },
  'alert-routes.deleteAlertRoute': async () => {
    const { id, name } = await fixtures.alertRoute()
    const old = expect.objectContaining({ name })
    return {
      params: { id },
      entry: { description: 'deleted', subject_type: 'alert_route', subject_id: id, properties: { old } },
    }
  },
  'alert-routes.orderAlertRoutes': async () => {
    await fixtures.alertRoute()
    await fixtures.alertRoute()
    const rows = await fixtures.db.select({ id: alertRoutes.id }).from(alertRoutes).orderBy(alertRoutes.id)
    const ids = rows.map(({ id }) => id).toReversed()
    const order = { order: expect.any(Array) }
    return {
      body: { ids },
      entry: {
        log_name: 'alert-routes',
        description: 'updated',
        subject_type: 'alert_route_order',
        properties: { old: order, attributes: order },
      },
    }
  },
})
