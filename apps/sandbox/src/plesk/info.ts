import { type PanelDomain, statusWord } from './domains.ts'

const units = ['B', 'KB', 'MB', 'GB', 'TB']

/** As Plesk shows sizes to people: `0 B`, `96.0 KB`. */
function humanSize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const figure = bytes / 1024 ** power
  return `${power === 0 ? figure : figure.toFixed(1)} ${units[power]}`
}

/** Values stand in the 41st column, or right after a label that is longer. */
const line = ([label, value]: readonly [string, string]) => `${`${label}:`.padEnd(40)}${value}`

const section = (title: string, lines: readonly (readonly [string, string])[]) =>
  [title, '='.repeat(29), ...lines.map(line), ''].join('\n')

/** What `plesk bin domain --info` writes. */
export function infoText({ told, subscription }: PanelDomain): string {
  const used = subscription.disk_usage ?? 0
  const logs = Math.round(used / 20)
  const general = section('General', [
    ['Domain name', told.name],
    ["Owner's contact name", 'Agency (admin)'],
    ['Domain status', statusWord(subscription) === 'active' ? 'OK' : 'Domain is disabled'],
    ['Creation date', 'Oct 20, 2023'],
    ['Total size of backup files in local storage', '0 B'],
    ['Traffic', '0 B/Month'],
  ])
  if (subscription.sysuser === null)
    return `${general}\n${section('Hosting', [['Hosting type', 'No hosting']])}`
  const hosting = section('Hosting', [
    ['Hosting type', 'Physical hosting'],
    ['FTP Login', subscription.sysuser],
    ['FTP Password', '*******'],
    ['SSH access to the server shell under the subscription system user', '/bin/false'],
    ['Hard disk quota', 'Unlimited'],
    ['Disk space used by httpdocs', humanSize(used - logs)],
    ['Disk space used by Log files and statistical reports', humanSize(logs)],
    ['SSL/TLS support', 'On'],
    ['PHP support', 'On'],
  ])
  return `${general}\n${hosting}\nSUCCESS: Gathering information for '${told.ascii_name}' complete\n`
}
