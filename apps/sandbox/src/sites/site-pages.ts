import { readdirSync } from 'node:fs'
import { readAsset } from '../assets.ts'

/** The further pages of some webs: a folder for each host, and in it the content of each page. */
const folder = 'site-pages'

const namesByHost: ReadonlyMap<string, readonly string[]> = new Map(
  readdirSync(new URL(folder, import.meta.url)).map((host) => [
    host,
    readdirSync(new URL(`${folder}/${host}`, import.meta.url)).map((file) => file.replace(/\.html$/, '')),
  ]),
)

/** Where the start page of a web links to: a page if there is one, otherwise a part of the start page. */
export const linkTo = (host: string, name: string): string =>
  namesByHost.get(host)?.includes(name) ? `/${name}/` : `/#${name}`

/** The content of a page such as `/kontakt/`; null if the web has none there. */
export function readSitePage(host: string, path: string): string | null {
  const name = /^\/([a-z]+)\/(\?|$)/.exec(path)?.[1]
  return name !== undefined && namesByHost.get(host)?.includes(name)
    ? readAsset(import.meta.url, `${folder}/${host}/${name}.html`)
    : null
}
