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
    toDark: 'Zum dunklen Design wechseln',
    toLight: 'Zum hellen Design wechseln',
    schemes: { auto: 'System', light: 'Hell', dark: 'Dunkel' },
  },
  screens: {
    home: { title: 'Übersicht', description: 'Alles, worauf Sie Zugriff haben, auf einen Blick.' },
    hosting: {
      title: 'Hosting',
      description: 'Alle gehosteten Webs: finden, anlegen, pflegen.',
    },
    'hosting-web-list': { title: 'Webs', description: 'Alle Webs mit Status, Node und Kunde.' },
    'hosting-web-add': { title: 'Web anlegen', description: 'Ein Web in den Bestand aufnehmen.' },
    'hosting-web-show': { title: 'Web', description: 'Alles über ein Web.' },
    'hosting-web-edit': { title: 'Web bearbeiten', description: 'Ein Web bearbeiten.' },
    'hosting-bitbucket': { title: 'Bitbucket', description: 'Alle Quell-Repositorys.' },
    'hosting-tracking': { title: 'Tracking', description: 'Tracking-Dienste und Einwilligungen aller Webs.' },
    'hosting-tracking-show': { title: 'Tracking', description: 'Tracking-Dienste eines Webs, mit Belegen.' },
    deployment: {
      title: 'Deployment',
      description: 'Ein neues Web, ein Schnuppertag-Web oder einen Fork anfordern.',
    },
    newweb: { title: 'Neues Web', description: 'Ein Web auf Basis eines Kickstarters anfordern.' },
    newschnuppertagweb: {
      title: 'Schnuppertag-Web',
      description: 'Ein Web für einen Schnuppertag anfordern.',
    },
    forkweb: { title: 'Web forken', description: 'Ein Web auf Basis eines bestehenden anfordern.' },
    limitis: { title: 'Limitis', description: 'Eigene und externe Domains sowie Postfächer.' },
    'limitis-alldomains': {
      title: 'Alle Domains',
      description: 'Eigene und externe Domains in einer Liste.',
    },
    'limitis-externaldomains': {
      title: 'Externe Domains',
      description: 'Domains von Kunden, die anderswo registriert sind.',
    },
    'limitis-externaldomains-add': {
      title: 'Domains anlegen',
      description: 'Mehrere externe Domains auf einmal anlegen.',
    },
    'limitis-limitisdomains': { title: 'Eigene Domains', description: 'Die Domains bei unserem Registrar.' },
    'limitis-emails': { title: 'E-Mails', description: 'Die Postfächer bei unserem Registrar.' },
    monitoring: {
      title: 'Überwachung',
      description: 'Welche Webs erreichbar sind, welche ausgefallen und seit wann.',
    },
    'monitoring-webs': {
      title: 'Uptime prüfen',
      description: 'Alle überwachten Webs mit ihrer letzten Prüfung.',
    },
    'monitoring-webs-show': {
      title: 'Tägliche Verfügbarkeit',
      description: 'Die Ausfallzeit eines Webs pro Tag.',
    },
    'monitoring-events': {
      title: 'Ereignisse',
      description: 'Alle Prüfungen, sobald sie abgeschlossen sind.',
    },
    queue: { title: 'Warteschlange', description: 'Laufende, wartende und abgeschlossene Jobs.' },
    'queue-show': {
      title: 'Deployment',
      description: 'Ein Deployment mit Schritten und Protokoll.',
    },
    logs: { title: 'Logs', description: 'Wer wann was geändert hat.' },
    admin: { title: 'Verwaltung', description: 'Wer die Konsole nutzen darf und wofür.' },
    'admin-user-management': {
      title: 'Benutzerverwaltung',
      description: 'Alle Benutzer, auch die gelöschten.',
    },
    'admin-user-management-add': { title: 'Benutzer anlegen', description: 'Einen Benutzer anlegen.' },
    'admin-user-management-edit': { title: 'Benutzer bearbeiten', description: 'Einen Benutzer bearbeiten.' },
    'admin-roles': { title: 'Rollen', description: 'Was jede Rolle sehen und tun darf.' },
    'user-settings': { title: 'Einstellungen', description: 'Konto, Sprache und Farbschema.' },
  },
  dashboard: {
    open: 'Öffnen',
    openNamed: '{{name}} öffnen',
    figures: {
      webs: 'Webs',
      inactive: 'Inaktiv',
      certificates: 'Zertifikate abgelaufen oder in den nächsten 14 Tagen ablaufend',
      framework: 'Framework ohne freie Unterstützung',
    },
    queueFigures: { running: 'Laufende Deployments', waiting: 'Wartende Deployments' },
    monitoringFigures: { down: 'Ausgefallene Webs', monitored: 'Überwachte Webs' },
    nothing: 'Sie haben noch auf keinen Bereich Zugriff',
    nothingHint: 'Bitten Sie die Administration um eine Rolle.',
  },
  notFound: { title: '404', text: 'Der Pfad {{path}} wurde nicht gefunden!', home: 'Zurück zur Übersicht' },
}
