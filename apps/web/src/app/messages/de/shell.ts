import type { shell as en } from '../en/shell.ts'
import type { Translation } from '../translation.ts'

export const shell: Translation<typeof en> = {
  shell: {
    skip: 'Zum Inhalt springen',
    openSidebar: 'Seitenleiste öffnen',
    foldSidebar: 'Seitenleiste einklappen',
    unfoldSidebar: 'Seitenleiste ausklappen',
    closeSidebar: 'Seitenleiste schließen',
    navigation: 'Hauptnavigation',
    userMenu: 'Benutzermenü von {{name}}',
    settings: 'Einstellungen',
    logout: 'Abmelden',
    logoutConfirm: 'Möchten Sie sich wirklich abmelden?',
    copyright: '© {{year}} Kustos. Alle Rechte vorbehalten.',
    toDark: 'Zum dunklen Farbschema wechseln',
    toLight: 'Zum hellen Farbschema wechseln',
    schemes: { auto: 'System', light: 'Hell', dark: 'Dunkel' },
  },
  screens: {
    home: { title: 'Übersicht', description: 'Alles, was Sie nutzen dürfen, auf einen Blick.' },
    hosting: {
      title: 'Hosting',
      description: 'Das Verzeichnis der gehosteten Webs: finden, anlegen und pflegen.',
    },
    'hosting-web-list': { title: 'Webs', description: 'Alle Webs mit Zustand, Node und Kunde.' },
    'hosting-web-add': { title: 'Anlegen', description: 'Ein Web in das Verzeichnis aufnehmen.' },
    'hosting-web-edit': { title: 'Web bearbeiten', description: 'Ein Web ändern.' },
    'user-settings': { title: 'Einstellungen', description: 'Eigene Daten, Sprache und Farbschema.' },
  },
  dashboard: {
    open: 'Öffnen',
    openNamed: '{{name}} öffnen',
    figures: {
      webs: 'Webs',
      inactive: 'Inaktiv',
      certificates: 'Zertifikate abgelaufen oder keine 14 Tage gültig',
      framework: 'Framework nach dem Ende der freien Unterstützung',
    },
    nothing: 'Für Sie ist noch kein Bereich freigeschaltet',
    nothingHint: 'Bitten Sie eine Administratorin oder einen Administrator um eine Rolle.',
  },
  notFound: { title: '404', text: 'Der Pfad {{path}} wurde nicht gefunden!', home: 'Zur Übersicht' },
}
