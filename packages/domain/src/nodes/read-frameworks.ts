import { type NodeAddress, RunnerError, type Runners } from '@kustos/clients/runner'
import { type Message, message } from '@kustos/contract/messages'
import { chunk } from '../platform/chunk.ts'
import type { Framework } from '../webs/index.ts'
import { type ReadOptions, readOutput } from './read-output.ts'

/** Of all webs of a node together, so that a discovery ends long before its timeout. */
const maxSeconds = 20
/** The command line of a batch must stay under 128 KiB, Linux' limit of one argument. */
const batchSize = 200
const maxRootBytes = 255

/** Quoting makes an apostrophe four characters. */
const isReadable = (root: string): boolean =>
  root.startsWith('/') && Buffer.byteLength(root) <= maxRootBytes && !/['\p{Cc}]/u.test(root)

/** Files below the folder that is served, and the words before the version in them. */
const files = [
  { name: 'WordPress', path: 'wp-includes/version.php', words: 'wp_version =' },
  { name: 'TYPO3', path: 'typo3/sysext/core/Classes/Information/Typo3Version.php', words: ' VERSION =' },
  // Before version 10.
  {
    name: 'TYPO3',
    path: 'typo3/sysext/core/Classes/Core/SystemEnvironmentBuilder.php',
    words: "'TYPO3_version',",
  },
  { name: 'Drupal', path: 'core/lib/Drupal.php', words: 'const VERSION =' },
] as const

/** Packages of Composer. Others are built on Symfony, so it comes last. */
const packages = {
  'typo3/cms-core': 'TYPO3',
  'contao/core-bundle': 'Contao',
  'shopware/core': 'Shopware',
  'drupal/core': 'Drupal',
  'laravel/framework': 'Laravel',
  'symfony/framework-bundle': 'Symfony',
} as const
const packageNames = Object.keys(packages) as (keyof typeof packages)[]

/**
 * Prints a line for each file that tells a framework: the id, the name of the framework or `composer`, and what was found in the
 * file. Users own these files: they may be large, links to others, or no text at all.
 * Parameters: the id, the folder that is served. Composer's files are there, or in the folder above.
 */
const siteScript = `
id=$1
root=$2
print() {
  found=$(head -c "$3" "$2" | grep -a -m 8 "$4" "$5" "$6" | head -c 4096 | tr -d '\\000\\r\\n')
  printf '%s %s %s\\n' "$id" "$1" "$found"
}
cd -- "$root" || exit 0
${files.map(({ name, path, words }) => `[ ! -f ${path} ] || print ${name} ${path} 262144 -F -e "${words}"`).join('\n')}
for folder in . ..; do
  file=$folder/vendor/composer/installed.json
  [ ! -f "$file" ] || print composer "$file" 8388608 -EA1 -e '"name": "(${packageNames.join('|')})"'
done
`

/**
 * Runs the script for each site in turn until the time is up, and prints `id done` for those that have ended.
 * Parameters: the seconds, the script, then id and folder of each site.
 */
const batchScript = `
limit=$1
script=$2
shift 2
read -r now _ </proc/uptime
end=$((\${now%.*} + limit))
while [ "$#" -gt 1 ]; do
  read -r now _ </proc/uptime
  [ "\${now%.*}" -lt "$end" ] || exit 0
  timeout -k 1 2 /bin/sh -c "$script" kustos "$1" "$2" 2>/dev/null && echo "$1 done"
  shift 2
done
exit 0
`

/**
 * Reads over SSH which framework the files of sites belong to.
 * @param roots the folders that are served, by id; sites without one are left out
 * @returns the frameworks of those that have a known one; and what could not be read
 * @throws the signal's reason
 */
export async function readFrameworks(
  runners: Runners,
  node: NodeAddress & { readonly id: number },
  roots: ReadonlyMap<number, string>,
  options: ReadOptions,
): Promise<{ frameworks: ReadonlyMap<number, Framework>; problems: readonly Message[] }> {
  const end = performance.now() + maxSeconds * 1000
  const sites = [...roots].filter(([, root]) => isReadable(root))
  const frameworks = new Map<number, Framework>()
  const problems: Message[] = []
  let unread = sites.length
  for (const batch of chunk(sites, batchSize)) {
    const seconds = Math.floor((end - performance.now()) / 1000)
    if (seconds < 1) break
    const parameters = [String(seconds), siteScript, ...batch.flatMap(([id, root]) => [String(id), root])]
    try {
      const { lines } = await readOutput(
        runners.node(node),
        `node-${node.id}`,
        ['/bin/sh', '-c', batchScript, 'kustos', ...parameters],
        { ...options, timeoutMs: (seconds + 5) * 1000 },
      )
      const read = readLines(lines)
      unread -= read.size
      for (const [id, framework] of read) if (framework !== null) frameworks.set(id, framework)
    } catch (error) {
      if (!(error instanceof RunnerError)) throw error
      problems.push(error.codedMessage)
      break
    }
  }
  if (unread > 0) problems.push(message('frameworks_unread', { node: node.name, count: unread }))
  return { frameworks, problems }
}

/** @returns the frameworks of the sites that were read to their end, null for unknown ones */
function readLines(lines: readonly string[]): ReadonlyMap<number, Framework | null> {
  const found = new Map<number, Framework | null>()
  const pending = new Map<number, Framework[]>()
  for (const line of lines) {
    const [, digits, word = '', text = ''] = /^(\d{1,10}) (\S+) ?(.*)$/.exec(line) ?? []
    if (digits === undefined) continue
    const id = Number(digits)
    const known = pending.get(id) ?? []
    pending.set(id, known)
    if (word === 'done') found.set(id, mergeFound(known))
    else if (word === 'composer') known.push(...readPackages(text))
    else if (isName(word)) known.push({ name: word, version: readVersion(text) })
  }
  return found
}

/** The first one, with the version that any of its files has. */
function mergeFound(found: readonly Framework[]): Framework | null {
  const [first] = found
  if (first === undefined) return null
  const withVersion = found.find(({ name, version }) => name === first.name && version !== null)
  return withVersion ?? first
}

const isName = (word: string) => files.some(({ name }) => name === word)

/** Such as `$wp_version = '6.8.3';` or `public const VERSION = '13.4.20';`. */
const readVersion = (text: string): string | null =>
  /['"]v?(\d{1,4}(?:\.\d{1,6}){0,4})(?![\d.])[^'"]*['"]/.exec(text)?.[1] ?? null

/** Such as `"name": "typo3/cms-core", "version": "v13.4.20",--"name": …`. */
function readPackages(text: string): readonly Framework[] {
  const versions = new Map(
    [...text.matchAll(/"name": "([^"]{1,60})",\s*(?:"version": ("[^"]{1,60}"))?/g)].map(
      ([, name = '', version = '']) => [name, version],
    ),
  )
  return packageNames.flatMap((name) => {
    const version = versions.get(name)
    return version === undefined ? [] : [{ name: packages[name], version: readVersion(version) }]
  })
}
