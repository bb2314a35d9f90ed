import type { webPage as en } from '../en/web-page.ts'
import type { Translation } from '../translation.ts'

export const webPage: Translation<typeof en> = {
  show: 'Web anzeigen',
  audit: 'Tracking-Audit',
  back: 'Zur Liste der Webs',
  more: 'Weitere Aktionen für {{fqdn}}',
  all: 'Alle {{formatted}} zeigen',
  facts: {
    title: 'Angaben',
    showMore: 'Alles zeigen',
    showLess: 'Weniger zeigen',
    watched: 'überwacht, ohne Meldungen',
    watchedBy: 'überwacht, gemeldet über {{channels}}',
  },
  hosts: {
    title: 'Sites und Aliasse',
    sites: 'Sites',
    aliases: 'Aliasse',
    none: 'Es hat keine weiteren Namen.',
  },
  days: {
    title: 'Letzte {{count}} Tage',
    uptime: 'Verfügbarkeit',
    median: 'Median jedes Tages',
    more: 'Tägliche Verfügbarkeit',
  },
  tracking: { more: 'Alle Audits' },
  deployments: {
    title: 'Deployments',
    none: 'Es wurde noch nichts deployt',
    noneHint: 'Hier stehen Updates, Backups und Exporte dieses Webs.',
  },
  log: { title: 'Log', none: 'Daran wurde noch nichts geändert.' },
}
