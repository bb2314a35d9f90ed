import { defineGrid, tonedOptions } from '../grid/columns.ts'
import type { User } from './user.ts'

export const userColumns = defineGrid<User>({
  name: 'users',
  columns: [
    { key: 'id', kind: 'number', width: 72 },
    { key: 'email', kind: 'text', width: 240 },
    { key: 'name', kind: 'text', width: 165 },
    { key: 'roles', kind: 'tags', width: 230, value: (user) => user.roles.map((role) => role.name) },
    {
      key: 'state',
      kind: 'status',
      width: 100,
      options: tonedOptions({ active: 'green', deleted: 'grey' }),
      value: (user) => (user.deleted_at === null ? 'active' : 'deleted'),
    },
    { key: 'created_at', kind: 'date', width: 160 },
    { key: 'updated_at', kind: 'date', width: 160 },
  ],
})
