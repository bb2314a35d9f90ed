import type { confirm as en } from '../en/confirm.ts'
import type { Translation } from '../translation.ts'

export const confirm: Translation<typeof en> = {
  delete: 'Möchten Sie diesen Datensatz wirklich löschen?',
  restore: 'Möchten Sie diesen Datensatz wirklich wiederherstellen?',
}
