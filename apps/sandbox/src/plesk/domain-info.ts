import { fillTemplate, readAsset } from '../assets.ts'
import { type PanelDomain, statusWord } from './domains.ts'

const units = ['B', 'KB', 'MB', 'GB', 'TB']

/** As Plesk prints sizes: `0 B`, `96.0 KB`. */
function formatSize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`
}

export function formatDomainInfo({ domain, subscription }: PanelDomain): string {
  const usedBytes = subscription.disk_usage ?? 0
  const logBytes = Math.round(usedBytes / 20)
  const template = subscription.sysuser === null ? 'domain-info-without-hosting.txt' : 'domain-info.txt'
  return fillTemplate(readAsset(import.meta.url, template), {
    name: domain.name,
    asciiName: domain.ascii_name,
    status: statusWord(subscription) === 'active' ? 'OK' : 'Domain is disabled',
    sysuser: subscription.sysuser ?? '',
    webSize: formatSize(usedBytes - logBytes),
    logSize: formatSize(logBytes),
  })
}
