import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { asciiFqdn } from '@kustos/contract/webs'
import installed from './installed-frameworks.json' with { type: 'json' }
import { isProvisioned } from './provisioned-webs.ts'
import { webFolder, webRoot } from './web-folder.ts'

/** Its release, with PHP version and databases, changes with the clock. */
export const changingWeb = {
  fqdn: 'www.weingut-am-hang.test',
  frameworks: ['TYPO3 12.4.33', 'TYPO3 13.4.20'],
}
const cycleMs = 20 * 60_000

/** @returns 0 in the first half of each cycle, 1 in the second */
export const releaseAt = (at: Date): number => Math.floor((at.getTime() % cycleMs) / (cycleMs / 2))

/** What differs from the inventory, by FQDN. The files of one without a version are broken. */
const differing: Readonly<Partial<Record<string, string>>> = installed

export interface InstalledWeb {
  readonly fqdn: string
  readonly framework_name?: string | null
  readonly framework_version?: string | null
}

/** Enough for every web of the default sandbox; with thousands of webs, the start would wait for their files. */
const maxWebs = 200

/**
 * Writes the files of frameworks by which they are recognized into the folders of a node's webs.
 * @param node its folder
 */
export async function installFrameworks(node: string, webs: readonly InstalledWeb[]): Promise<void> {
  for (const { fqdn, framework_name, framework_version } of webs.slice(0, maxWebs)) {
    const known = [framework_name, framework_version].filter(Boolean).join(' ')
    const releases = fqdn === changingWeb.fqdn ? changingWeb.frameworks : [differing[fqdn] ?? known]
    for (const [release, framework] of releases.entries()) {
      const [name = '', version] = framework.split(' ')
      const file = fileOf(name, version)
      if (file === null) continue
      const path = join(releaseFolder(node, fqdn, release), file.path)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, file.text)
      await mkdir(join(releaseFolder(node, fqdn, release), file.root), { recursive: true })
    }
  }
}

/** The folder that the web server of a node serves for a web. */
export function servedFolder(node: string, fqdn: string, at: Date): string {
  const host = asciiFqdn(fqdn) ?? fqdn
  if (isProvisioned(node, host)) return webRoot(webFolder(node, host).httpdocs)
  return webRoot(releaseFolder(node, fqdn, fqdn === changingWeb.fqdn ? releaseAt(at) : 0))
}

const releaseFolder = (node: string, fqdn: string, release: number): string =>
  join(node, 'vhosts', asciiFqdn(fqdn) ?? fqdn, release === 0 ? 'httpdocs' : `httpdocs-${release}`)

const packages: Readonly<Partial<Record<string, string>>> = {
  TYPO3: 'typo3/cms-core',
  Contao: 'contao/core-bundle',
  Shopware: 'shopware/core',
  Laravel: 'laravel/framework',
  Symfony: 'symfony/framework-bundle',
}

interface FrameworkFile {
  readonly path: string
  readonly text: string
  /** Relative to the project, as `path`. */
  readonly root: string
}

/** As the releases of each framework have it, cut to what is read; null for those that are not installed like this. */
function fileOf(name: string, version: string | undefined): FrameworkFile | null {
  const major = Number.parseInt(version ?? '', 10)
  if (name === 'WordPress')
    return {
      path: 'wp-includes/version.php',
      text: `<?php\n/**\n * WordPress Version\n */\n${version === undefined ? '$wp_ver' : `$wp_version = '${version}';\n`}`,
      root: '.',
    }
  if (name === 'Drupal')
    return {
      path: 'core/lib/Drupal.php',
      text: `<?php\nclass Drupal {\n  const VERSION = '${version}';\n}\n`,
      root: '.',
    }
  if (name === 'TYPO3' && major < 10)
    return {
      path: 'typo3/sysext/core/Classes/Core/SystemEnvironmentBuilder.php',
      text: `<?php\n        define('TYPO3_version', '${version}');\n`,
      root: '.',
    }
  if (name === 'TYPO3' && major === 10)
    return {
      path: 'typo3/sysext/core/Classes/Information/Typo3Version.php',
      text: `<?php\nclass Typo3Version\n{\n    protected const VERSION = '${version}';\n}\n`,
      root: '.',
    }
  const packageName = name === 'Shopware' && major < 6 ? undefined : packages[name]
  if (packageName === undefined || version === undefined) return null
  // Others are built on parts of Symfony.
  const all = [
    { name: packageName, version: `v${version}`, type: 'library' },
    { name: 'symfony/framework-bundle', version: 'v7.2.5', type: 'symfony-bundle' },
  ]
  return {
    path: 'vendor/composer/installed.json',
    text: `${JSON.stringify({ packages: name === 'Symfony' ? all.slice(0, 1) : all, dev: false }, null, 4)}\n`,
    root: 'public',
  }
}
