import type { webPage as en } from '../en/web-page.ts'
import type { Translation } from '../translation.ts'

export const webPage: Translation<typeof en> = {
  back: 'Webs',
  more: 'Weitere Aktionen für {{fqdn}}',
  all: 'Alle {{formatted}} anzeigen',
  facts: {
    title: 'Details',
    showMore: 'Mehr anzeigen',
    showLess: 'Weniger anzeigen',
    monitored: 'Überwacht · keine Alarme',
    monitoredBy: 'Überwacht · Alarme: {{channels}}',
  },
  hosts: {
    title: 'Sites und Aliasse',
    sites: 'Sites',
    aliases: 'Aliasse',
    none: 'Dieses Web hat keine weiteren Namen.',
  },
  days: {
    title: 'Letzte {{count}} Tage',
    uptime: 'Verfügbarkeit',
    median: 'Tagesmedian',
    more: 'Tägliche Verfügbarkeit',
  },
  tracking: { more: 'Alle Audits' },
  deployments: {
    title: 'Deployments',
    none: 'Noch keine Deployments',
    noneHint: 'Updates, Backups und Exporte dieses Webs erscheinen hier.',
  },
  log: { title: 'Log', none: 'Noch keine Änderungen.' },
}
