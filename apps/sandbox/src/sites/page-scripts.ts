import { readdirSync } from 'node:fs'
import { readAsset } from '../assets.ts'

/**
 * Webs whose trackers only start when a browser runs them, because the script assembles ids and addresses from parts, as
 * bundled code does. There is a file for each host.
 */
const hosts = new Set(
  readdirSync(new URL('page-scripts', import.meta.url)).map((name) => name.replace(/\.js$/, '')),
)

const path = '/js/app.js'

export const pageScriptTags = (host: string): readonly string[] =>
  hosts.has(host) ? [`<script src="${path}"></script>`] : []

/** Returns null if there is none. The block keeps its variables out of the page's scope. */
export const readPageScript = ({ hostname, pathname }: URL): string | null =>
  pathname === path && hosts.has(hostname)
    ? `{\n${readAsset(import.meta.url, `page-scripts/${hostname}.js`)}}`
    : null
