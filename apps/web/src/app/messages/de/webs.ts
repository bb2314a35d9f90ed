import type { webs as en } from '../en/webs.ts'
import type { Translation } from '../translation.ts'

export const webs: Translation<typeof en> = {
  list: { title: 'Webs' },
}
