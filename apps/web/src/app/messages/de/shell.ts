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
    'hosting-bitbucket': { title: 'Bitbucket', description: 'Alle Quell-Repositorys.' },
    'hosting-tracking': { title: 'Tracking', description: 'Was Webs laden, um Besuchern zu folgen.' },
    'hosting-tracking-show': { title: 'Tracking', description: 'Was ein Web lädt, mit den Belegen.' },
    deployment: {
      title: 'Deployment',
      description: 'Ein neues Web, ein Schnuppertag-Web oder den Fork eines bestehenden anfordern.',
    },
    newweb: { title: 'Neues Web', description: 'Ein Web anfordern, das von einem Kickstarter ausgeht.' },
    newschnuppertagweb: {
      title: 'Schnuppertag-Web',
      description: 'Ein Web für einen Schnuppertag anfordern.',
    },
    forkweb: { title: 'Web forken', description: 'Ein Web anfordern, das von einem bestehenden ausgeht.' },
    limitis: { title: 'Limitis', description: 'Eigene und externe Domains und die Postfächer.' },
    'limitis-alldomains': {
      title: 'Alle Domains',
      description: 'Eigene und externe Domains in einer Liste.',
    },
    'limitis-externaldomains': {
      title: 'Externe Domains',
      description: 'Domains von Kunden, die anderswo liegen.',
    },
    'limitis-externaldomains-add': {
      title: 'Anlegen',
      description: 'Viele externe Domains auf einmal anlegen.',
    },
    'limitis-limitisdomains': { title: 'Eigene Domains', description: 'Die Domains bei unserem Registrar.' },
    'limitis-emails': { title: 'E-Mails', description: 'Die Postfächer bei unserem Registrar.' },
    monitoring: { title: 'Überwachung', description: 'Welche Webs antworten, welche nicht und seit wann.' },
    'monitoring-webs': {
      title: 'Uptime prüfen',
      description: 'Jedes überwachte Web mit dem, was seine letzte Prüfung sah.',
    },
    'monitoring-webs-show': {
      title: 'Tägliche Verfügbarkeit',
      description: 'Die Ausfallzeit eines Webs, Tag für Tag.',
    },
    'monitoring-events': { title: 'Ereignisse', description: 'Jede Prüfung, sobald sie getan ist.' },
    queue: { title: 'Warteschlange', description: 'Was läuft, was wartet und was daraus wurde.' },
    'queue-show': {
      title: 'Deployment',
      description: 'Ein Deployment mit seinen Schritten und seinem Protokoll.',
    },
    logs: { title: 'Logs', description: 'Wer wann was geändert hat.' },
    admin: { title: 'Verwaltung', description: 'Wer die Konsole nutzen darf und wofür.' },
    'admin-user-management': {
      title: 'Benutzerverwaltung',
      description: 'Alle Benutzer, auch die gelöschten.',
    },
    'admin-user-management-add': { title: 'Anlegen', description: 'Einen Benutzer anlegen.' },
    'admin-user-management-edit': { title: 'Benutzer bearbeiten', description: 'Einen Benutzer ändern.' },
    'admin-roles': { title: 'Rollen', description: 'Was jede Rolle sehen und tun darf.' },
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
    queueFigures: { running: 'Laufende Deployments', waiting: 'Wartende Deployments' },
    monitoringFigures: { down: 'Ausgefallene Webs', watched: 'Überwachte Webs' },
    nothing: 'Für Sie ist noch kein Bereich freigeschaltet',
    nothingHint: 'Bitten Sie eine Administratorin oder einen Administrator um eine Rolle.',
  },
  notFound: { title: '404', text: 'Der Pfad {{path}} wurde nicht gefunden!', home: 'Zur Übersicht' },
}
