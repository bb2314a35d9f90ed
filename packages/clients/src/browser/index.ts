export type {
  Browser,
  BrowserSettings,
  Choice,
  Phase,
  SeenCookie,
  SeenRequest,
  Unvisited,
  Visited,
  Visiting,
} from './browser.ts'
export { installedBrowser } from './find-installed.ts'
export { openBrowser } from './open-browser.ts'
