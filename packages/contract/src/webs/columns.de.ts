import type { GridLabels } from '../grid/columns.ts'

/** The web list in German. */
export const germanWebLabels: GridLabels = {
  columns: {
    id: 'Id',
    fqdn: 'FQDN',
    sites: 'Sites',
    aliases: 'Aliasse',
    customer: 'Kunde',
    auftragnr_hosting: 'AuftragNr Hosting',
    node: 'Node',
    status: 'Status',
    domain_status: 'Domain-Status',
    http_status_code: 'HTTP',
    categories: 'Kategorien',
    domain_state: 'Domain-Verwaltung',
    comment: 'Kommentar',
    framework_name: 'Framework',
    framework_version: 'Version',
    configured_ip: 'Konfigurierte IP',
    sysuser: 'Systembenutzer',
    disk_usage: 'Speicher',
    cert_ca: 'Zertifikatsstelle',
    cert_expiration: 'Zertifikat läuft ab',
    created_at: 'Angelegt',
    updated_at: 'Geändert',
  },
  options: {
    status: { '0': 'aktiv', '16': 'inaktiv', unknown: 'unbekannt' },
    domain_status: { '1': 'online', '2': 'extern', '3': 'offline', unknown: 'unbekannt' },
    domain_state: { '1': 'eigene Domain', '2': 'Zugriff auf Domain', '3': 'externe Domain' },
  },
  sets: {
    sites: 'Sites & Aliasse',
    node: 'Node',
    customer: 'Kunde',
    status: 'Status',
    categories: 'Kategorien',
    domain_location: 'Domain-Verwaltung',
    comment: 'Kommentar',
    system: 'Systemdaten',
  },
}
