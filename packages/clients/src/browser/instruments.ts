import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { type Autoconsent, createAutoconsent } from './autoconsent.ts'
import { type FrameWorlds, openFrameWorlds } from './frame-worlds.ts'
import { type Setters, watchSetters } from './watch-setters.ts'

/** What observes and answers a page, besides the record of its requests. */
export interface Instruments {
  readonly session: CDPSession
  readonly worlds: FrameWorlds
  readonly autoconsent: Autoconsent
  readonly setters: Setters
}

/** Opens them before the page is loaded. @param session of the page, with its network enabled */
export async function openInstruments(
  context: BrowserContext,
  page: Page,
  session: CDPSession,
): Promise<Instruments> {
  const autoconsent = createAutoconsent(() => worlds)
  const [worlds, setters] = await Promise.all([
    openFrameWorlds(context, page, autoconsent.receive),
    watchSetters(page, session),
  ])
  return { session, worlds, autoconsent, setters }
}
