import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { root } from './command.ts'
import { judge, type Outcome } from './gate.ts'
import { sources } from './sources.ts'

/**
 * Fails for a link, an anchor or a path or file name in backticks that leads nowhere, and for the title of a test that its file does
 * not have, in any Markdown file.
 */
export async function documents(): Promise<Outcome> {
  const files = await sources()
  const folders = new Set(
    files.flatMap((file) => file.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'))),
  )
  const pages = files.filter((file) => file.endsWith('.md'))
  const texts = new Map(await Promise.all(pages.map(async (page) => [page, await read(page)] as const)))
  const tests = new Map(
    await Promise.all(
      files
        .filter((file) => /[.-](?:tests?|spec)\.ts$/.test(file))
        .map(async (file) => [file, await read(file)] as const),
    ),
  )
  const anchors = new Map([...texts].map(([page, text]) => [page, anchorsOf(text)]))

  const complaints = [...texts].flatMap(([page, text]) => {
    const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([, path = '', anchor]) => {
        const target = path === '' ? page : relative(root, join(root, dirname(page), path))
        if (!existsSync(join(root, target))) return [`links to ${target}, which does not exist`]
        const isKnown = anchor === undefined || anchors.get(target)?.has(anchor)
        return isKnown ? [] : [`links to #${anchor}, which ${target} does not have`]
      },
    )
    const paths = [
      ...text.matchAll(/`((?:packages|apps|docs|e2e|bench|drizzle|\.ci)\/[\w./-]+?)\/?`/g),
    ].flatMap(([, path = '']) =>
      files.includes(path) || folders.has(path) ? [] : [`names ${path}, which does not exist`],
    )
    const names = [...text.matchAll(/`(?:\.\.?\/)*(\w[\w./-]*\.(?:tsx?|json|sql|css|md|ya?ml))`/g)].flatMap(
      ([, name = '']) =>
        files.some((file) => `/${file}`.endsWith(`/${name}`)) ? [] : [`names ${name}, which does not exist`],
    )
    const titles = [
      ...text.matchAll(/`(?:\.\.\/)*(\w[\w./-]*[.-](?:tests?|spec)\.ts)`: (“[^”]+”(?:, “[^”]+”)*)/g),
    ].flatMap(([, name = '', quoted = '']) =>
      [...quoted.matchAll(/“([^”]+)”/g)].flatMap(([, title = '']) =>
        [...tests].some(([file, source]) => `/${file}`.endsWith(`/${name}`) && source.includes(title))
          ? []
          : [`names a test “${title}”, which ${name} does not have`],
      ),
    )
    return [...new Set([...links, ...paths, ...names, ...titles])].map((complaint) => `${page}: ${complaint}`)
  })
  return judge(complaints)
}

const read = (file: string) => readFile(join(root, file), 'utf8')

/** The anchors that GitHub gives to headings: lower case, hyphens for spaces, no punctuation. */
const anchorsOf = (text: string) =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ),
  )
