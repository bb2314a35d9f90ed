import type { form as en } from '../en/form.ts'
import type { Translation } from '../translation.ts'

export const form: Translation<typeof en> = {
  failed: 'Es wurde nichts gespeichert',
  conflict: 'Jemand war schneller',
  newestHint: 'Laden Sie den neuesten Stand, um dort weiterzumachen. Ihre Eingaben bleiben erhalten.',
  loadNewest: 'Neuesten Stand laden',
  arrived: {
    newest: 'Der neueste Stand ist geladen, mit Ihren Eingaben darin. Prüfen und speichern Sie ihn.',
    draft: 'Ihre Eingaben von vor der Anmeldung sind wieder da. Gespeichert ist davon noch nichts.',
  },
  clashes_one: 'In einem Feld steht der Wert von jemand anderem, Ihrer steht darunter.',
  clashes_other: 'In {{count}} Feldern stehen die Werte von jemand anderem, Ihre stehen darunter.',
  yours: 'Ihre Eingabe: {{text}}',
  takeYours: 'Meine übernehmen',
}
