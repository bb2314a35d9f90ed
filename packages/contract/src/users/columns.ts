import { type GridDefinition, tonedOptions } from '../grid/columns.ts'
import type { User } from './user.ts'

export const userColumns: GridDefinition<User> = {
  name: 'users',
  columns: [
    { key: 'id', kind: 'number', width: 72, value: (user) => user.id },
    { key: 'email', kind: 'text', width: 240, value: (user) => user.email },
    { key: 'name', kind: 'text', width: 165, value: (user) => user.name },
    { key: 'roles', kind: 'tags', width: 230, value: (user) => user.roles.map((role) => role.name) },
    {
      key: 'state',
      kind: 'status',
      width: 100,
      options: tonedOptions({ active: 'green', deleted: 'grey' }),
      value: (user) => (user.deleted_at === null ? 'active' : 'deleted'),
    },
    { key: 'created_at', kind: 'date', width: 160, value: (user) => user.created_at },
    { key: 'updated_at', kind: 'date', width: 160, value: (user) => user.updated_at },
  ],
  sets: [],
}
