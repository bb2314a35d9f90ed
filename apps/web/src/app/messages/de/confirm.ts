import type { confirm as en } from '../en/confirm.ts'
import type { Translation } from '../translation.ts'

export const confirm: Translation<typeof en> = {
  delete: 'Möchten Sie diesen Datensatz wirklich löschen?',
  restore: 'Möchten Sie diesen Datensatz wirklich wiederherstellen?',
  update: 'Dieses Web auf den neuesten Stand seines Repositorys bringen?',
  exportDatabase: 'Die Datenbank dieses Webs exportieren? Ihr letzter Export wird ersetzt.',
  importDatabase:
    'Den letzten Export in die Datenbank dieses Webs importieren? Alles in der Datenbank wird überschrieben.',
  backup: 'Dateien und Datenbank dieses Webs sichern?',
  refresh: 'Die Angaben zu diesem Web neu von Plesk, Nameservern und seiner Seite lesen?',
}
