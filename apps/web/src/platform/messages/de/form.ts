import type { form as en } from '../en/form.ts'
import type { Translation } from '../translation.ts'

export const form: Translation<typeof en> = {
  failed: 'Es wurde nichts gespeichert',
  conflict: 'Jemand anderes hat zuerst gespeichert',
  newestHint: 'Laden Sie den neuesten Stand, um weiterzuarbeiten. Ihre Eingaben bleiben erhalten.',
  loadNewest: 'Neuesten Stand laden',
  arrived: {
    newest: 'Der neueste Stand ist geladen und enthält Ihre Änderungen. Prüfen Sie ihn und speichern Sie.',
    draft: 'Ihre Eingaben wurden wiederhergestellt. Gespeichert sind sie noch nicht.',
  },
  clashes_one: 'Konflikt in einem Feld: Der fremde Wert ist eingetragen, Ihrer ist darunter angegeben.',
  clashes_other:
    'Konflikt in {{count}} Feldern: Die fremden Werte sind eingetragen, Ihre sind darunter angegeben.',
  moreErrors_one: '{{first}} (und {{count}} weiterer Fehler)',
  moreErrors_other: '{{first}} (und {{count}} weitere Fehler)',
  yours: 'Ihre Eingabe: {{text}}',
  takeYours: 'Meine übernehmen',
}
