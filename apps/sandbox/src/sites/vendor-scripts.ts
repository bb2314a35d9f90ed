import { readAsset } from '../assets.ts'

/** A vendor's script as a browser sees it: where it reports to, and when. */
export const readVendorScript = (name: string): string =>
  readAsset(import.meta.url, `vendor-scripts/${name}.js`)

/** Without a host the script may be on any. */
const scripts: readonly { readonly host?: string; readonly path: RegExp; readonly name: string }[] = [
  { path: /^\/gtag\/js$/, name: 'google-tag' },
  { host: 'www.googleadservices.com', path: /^\/pagead\/conversion\.js$/, name: 'google-conversion' },
  { host: 'connect.facebook.net', path: /\/fbevents\.js$/, name: 'facebook' },
  { host: 's.pinimg.com', path: /^\/ct\/core\.js$/, name: 'pinterest' },
  { host: 'bat.bing.com', path: /^\/bat\.js$/, name: 'bing' },
  { host: 'snap.licdn.com', path: /\/insight\.min\.js$/, name: 'linkedin' },
  { host: 'analytics.tiktok.com', path: /\/events\.js$/, name: 'tiktok' },
  { host: 'app.usercentrics.eu', path: /\/(loader|main)\.js$/, name: 'usercentrics' },
  { host: 'web.cmp.usercentrics.eu', path: /\/loader\.js$/, name: 'usercentrics' },
  { path: /^\/matomo\.js$/, name: 'matomo' },
]

/** @returns null if no vendor has a script there */
export function findVendorScript({ hostname, pathname }: URL): string | null {
  const found = scripts.find(({ host = hostname, path }) => host === hostname && path.test(pathname))
  return found === undefined ? null : readVendorScript(found.name)
}

/** Where the scripts report to. */
const reportPath =
  /\/g\/collect$|^\/(pagead\/viewthroughconversion\/.*|tr\/|v3\/|action\/0|collect\/|api\/v2\/pixel|matomo\.php)$/

export const isReport = ({ pathname }: URL): boolean => reportPath.test(pathname)
