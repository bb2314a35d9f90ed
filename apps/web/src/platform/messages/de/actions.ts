import type { actions as en } from '../en/actions.ts'
import type { Translation } from '../translation.ts'

export const actions: Translation<typeof en> = {
  show: { label: 'Web anzeigen' },
  refresh: {
    label: 'Aktualisieren',
    question: 'Die Daten dieses Webs neu von Plesk, DNS und der Website lesen?',
    done: 'Aktualisierung angefordert',
    show: 'Letzte Prüfung anzeigen',
    many: {
      question_one: 'Die Daten dieses Webs neu lesen?',
      question_other: 'Die Daten von {{count}} Webs neu lesen?',
      running: 'Aktualisierungen werden angefordert …',
      failed_one: '1 von {{total}} Webs konnte nicht aktualisiert werden',
      failed_other: '{{count}} von {{total}} Webs konnten nicht aktualisiert werden',
    },
  },
  updateWeb: {
    label: 'Update',
    question: 'Den neuesten Commit auf dieses Web deployen?',
    done: 'Update angefordert',
  },
  backupWeb: {
    label: 'Backup',
    question: 'Dateien und Datenbank dieses Webs sichern?',
    done: 'Backup angefordert',
    many: {
      question_one: 'Dateien und Datenbank dieses Webs sichern?',
      question_other: 'Dateien und Datenbanken von {{count}} Webs sichern?',
      running: 'Backups werden angefordert …',
      failed_one: '1 von {{total}} Webs konnte nicht gesichert werden',
      failed_other: '{{count}} von {{total}} Webs konnten nicht gesichert werden',
    },
  },
  exportDatabase: {
    label: 'Datenbank-Export',
    question: 'Die Datenbank dieses Webs exportieren? Der letzte Export wird ersetzt.',
    done: 'Datenbank-Export angefordert',
  },
  exportDatabaseKick: { label: 'Datenbank-Kick-Export', done: 'Datenbank-Kick-Export angefordert' },
  importDatabase: {
    label: 'Datenbank-Import',
    question:
      'Den letzten Export in die Datenbank dieses Webs importieren? Alle aktuellen Daten werden überschrieben.',
    done: 'Datenbank-Import angefordert',
  },
  newWeb: { label: 'Neues Web' },
  audit: {
    label: 'Tracking-Audit',
    done: 'Tracking-Audit angefordert',
    many: {
      question_one: 'Das Tracking dieses Webs auditieren?',
      question_other: 'Das Tracking von {{count}} Webs auditieren?',
      running: 'Tracking-Audits werden angefordert …',
      failed_one: '1 von {{total}} Webs konnte nicht auditiert werden',
      failed_other: '{{count}} von {{total}} Webs konnten nicht auditiert werden',
    },
  },
  edit: { label: 'Bearbeiten' },
  tracking: { label: 'Tracking anzeigen' },
  uptime: { label: 'Tägliche Verfügbarkeit' },
  probes: { label: 'Prüfungen dieses Webs' },
  open: { label: 'Website öffnen' },
  copy: { label: 'FQDN kopieren', done: 'FQDN kopiert' },
  delete: {
    label: 'Löschen',
    hint: 'Es verschwindet aus allen Listen und wird nicht mehr überwacht. Die Website selbst bleibt unverändert, und das Web lässt sich wiederherstellen.',
    done: 'gelöscht',
  },
  restore: { label: 'Wiederherstellen', done: 'wiederhergestellt' },
  undo: { label: 'Rückgängig' },
  webs_one: '1 Web',
  webs_other: '{{count}} Webs',
  backupFirst: 'Zuerst ein Backup erstellen',
  notHere: 'Diese Aktion kann auf diesem Server nicht ausgeführt werden.',
}
