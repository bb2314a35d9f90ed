import type { GridColumns } from '../grid/columns.ts'
import type { User } from './user.ts'

const columns: GridColumns<User>['columns'] = [
  { key: 'id', label: 'Id', kind: 'number', width: 72, value: (user) => user.id },
  { key: 'email', label: 'E-Mail', kind: 'text', width: 240, value: (user) => user.email },
  { key: 'name', label: 'Name', kind: 'text', width: 165, value: (user) => user.name },
  {
    key: 'roles',
    label: 'Roles',
    kind: 'tags',
    width: 230,
    value: (user) => user.roles.map((role) => role.name),
  },
  {
    key: 'state',
    label: 'State',
    kind: 'status',
    width: 100,
    options: [
      { value: 'active', label: 'active', tone: 'green' },
      { value: 'deleted', label: 'deleted', tone: 'grey' },
    ],
    value: (user) => (user.deleted_at === null ? 'active' : 'deleted'),
  },
  { key: 'created_at', label: 'Created', kind: 'date', width: 160, value: (user) => user.created_at },
  { key: 'updated_at', label: 'Changed', kind: 'date', width: 160, value: (user) => user.updated_at },
]

export const userColumns: GridColumns<User> = {
  columns,
  sets: [],
  german: {
    columns: {
      id: 'Id',
      email: 'E-Mail',
      name: 'Name',
      roles: 'Rollen',
      state: 'Zustand',
      created_at: 'Angelegt',
      updated_at: 'Geändert',
    },
    options: { state: { active: 'aktiv', deleted: 'gelöscht' } },
    sets: {},
  },
}
