import type { logs as en } from '../en/logs.ts'
import type { Translation } from '../translation.ts'

export const logs: Translation<typeof en> = {
  by: 'von {{causer}}',
  byKustos: 'von Kustos oder einem Besucher',
  more_one: '+{{count}} weitere',
  more_other: '+{{count}} weitere',
  whole: 'Ganz anzeigen',
  showAll: 'Alle im Log zeigen',
  values: { yes: 'ja', no: 'nein' },
}
