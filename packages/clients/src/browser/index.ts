export type * from './browser.ts'
export { installedBrowser } from './find-installed.ts'
export { openBrowser } from './open-browser.ts'
