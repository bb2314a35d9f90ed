import { IconCopy } from '@tabler/icons-react'
import { copyAndNotify } from '../copy.ts'
import type { RowAction } from './types.ts'

/** @param done for the notification, such as "FQDN copied" */
export const copyAction = (text: string, label: string, done: string): RowAction => ({
  key: 'copy',
  label,
  icon: IconCopy,
  run: () => void copyAndNotify(text, done),
})
