import { users } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { password } from '../api-client.ts'
import { only } from '../logged-fixtures.ts'
import type { BuildCalls } from './call.ts'

export const peopleCalls: BuildCalls = (fixtures) => ({
  'auth.signIn': async () => {
    const by = fixtures.client()
    await by.fetch('/sanctum/csrf-cookie')
    return {
      by,
      body: { email: 'admin@kustos.test', password, remember: true },
      entry: {
        log_name: 'auth',
        description: 'signed in',
        subject_type: 'user',
        subject_id: fixtures.adminId,
        properties: { attributes: { address: '127.0.0.1' } },
      },
    }
  },
  'auth.signOut': async () => {
    const { id, client } = await fixtures.anotherAdmin()
    const entry = { log_name: 'auth', description: 'signed out', subject_type: 'user', subject_id: id }
    return { by: client, causer: id, entry }
  },
  'auth.confirmPassword': async () => ({
    body: { password },
    entry: {
      log_name: 'auth',
      description: 'password confirmed',
      subject_type: 'user',
      subject_id: fixtures.adminId,
      properties: {},
    },
  }),
  'auth.endSession': async () => {
    const { id, email, client } = await fixtures.anotherAdmin()
    await fixtures.visit(email)
    const sessions = await client.json<{ id: number; is_current: boolean }[]>('/api/sessions')
    const other = only(sessions.filter((session) => !session.is_current)).id
    const entry = { log_name: 'auth', description: 'session ended', subject_type: 'user', subject_id: id }
    return { by: client, causer: id, params: { id: other }, entry }
  },
  'auth.endOtherSessions': async () => {
    const { id, email, client } = await fixtures.anotherAdmin()
    await fixtures.visit(email)
    return {
      by: client,
      causer: id,
      entry: {
        log_name: 'auth',
        description: 'other sessions ended',
        properties: { attributes: { sessions: 1 } },
      },
    }
  },
  'users.createUser': async () => {
    const facts = { email: 'new@kustos.test', name: 'New', monitoring_mail_subscription: true }
    fixtures.secrets.add('a password of seven words')
    const role = await fixtures.role()
    return {
      body: { ...facts, password: 'a password of seven words', roles: [role.id] },
      entry: {
        log_name: 'users',
        description: 'created',
        subject_type: 'user',
        properties: { attributes: { ...facts, roles: [role.name] } },
      },
    }
  },
  'users.editUser': async () => {
    const { id, name: email } = await fixtures.user()
    const role = await fixtures.role()
    fixtures.secrets.add('another password, longer')
    return {
      params: { id },
      body: { email, name: 'Renamed', password: 'another password, longer', roles: [role.id] },
      entry: {
        log_name: 'users',
        description: 'updated, with a new password',
        subject_type: 'user',
        subject_id: id,
        properties: {
          old: { name: email, roles: [`role of ${email}`] },
          attributes: { name: 'Renamed', roles: [role.name] },
        },
      },
    }
  },
  'users.confirmEmailChange': async () => {
    const { id, email, client } = await fixtures.anotherAdmin()
    const token = 'a token of the mail'
    await fixtures.emailChange(id, `new-${email}`, token)
    return {
      by: client,
      causer: id,
      body: { token },
      entry: {
        log_name: 'users',
        description: 'updated',
        subject_type: 'user',
        subject_id: id,
        properties: { old: { email }, attributes: { email: `new-${email}` } },
      },
    }
  },
  'users.cancelEmailChange': async () => {
    const { id, email, client } = await fixtures.anotherAdmin()
    await fixtures.emailChange(id, `new-${email}`, 'another token')
    const entry = { log_name: 'users', description: 'e-mail change cancelled', subject_id: id }
    return { by: client, causer: id, entry }
  },
  'users.deleteUser': async () => {
    const { id, name } = await fixtures.user()
    const old = expect.objectContaining({ email: name })
    const entry = { log_name: 'users', description: 'deleted', subject_type: 'user', subject_id: id }
    return { params: { id }, entry: { ...entry, properties: { old } } }
  },
  'users.endUserSessions': async () => {
    const { id } = await fixtures.anotherAdmin()
    return {
      params: { id },
      entry: {
        log_name: 'auth',
        description: 'all sessions ended',
        subject_type: 'user',
        subject_id: id,
        properties: { attributes: { sessions: 1 } },
      },
    }
  },
  'users.restoreUser': async () => {
    const { id } = await fixtures.user()
    await fixtures.db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, id))
    const entry = { log_name: 'users', description: 'restored', subject_type: 'user', subject_id: id }
    return { params: { id }, entry }
  },
  'users.createRole': async () => {
    const attributes = { name: 'hosting', permissions: ['view webs'] }
    const entry = { log_name: 'roles', description: 'created', subject_type: 'role' }
    return { body: attributes, entry: { ...entry, properties: { attributes } } }
  },
  'users.editRole': async () => {
    const { id, name } = await fixtures.role()
    return {
      params: { id },
      body: { name, permissions: ['view logs'] },
      entry: {
        log_name: 'roles',
        description: 'updated',
        subject_type: 'role',
        subject_id: id,
        properties: { old: { permissions: [] }, attributes: { permissions: ['view logs'] } },
      },
    }
  },
  'users.deleteRole': async () => {
    const { id, name } = await fixtures.role()
    const old = { name, permissions: [] }
    const entry = { log_name: 'roles', description: 'deleted', subject_type: 'role', subject_id: id }
    return { params: { id }, entry: { ...entry, properties: { old } } }
  },
})
