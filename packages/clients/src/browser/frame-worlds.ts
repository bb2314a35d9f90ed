import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, CDPSession, Frame, Page } from 'playwright-core'

const worldName = 'kustos'
const bindingName = 'kustosSend'
/** Frames that are read, the page itself included. */
const maxFrames = 10
/** Of frames that were seen, since a page may add and remove them endlessly. */
const maxContexts = 1_000
const evaluateTimeoutMs = 3_000

/**
 * A script context of its own in a frame's document. It has the same elements and storage, but shares no JavaScript with
 * the page, which can therefore neither see nor change what runs there.
 */
export interface FrameWorld {
  /** Identifies the document. */
  readonly key: string
  readonly url: string
  readonly isTop: boolean
  /** Returns the value of an expression or of its promise; undefined if it throws, hangs, or the document is gone. */
  evaluate(expression: string, timeoutMs?: number): Promise<unknown>
  /** The same in the page's own context. What it returns may be a lie. */
  evaluateInPage(expression: string, timeoutMs?: number): Promise<unknown>
}

export type FrameWorlds = Awaited<ReturnType<typeof openFrameWorlds>>

/** The DevTools session of a page, or of a frame that has a process of its own. */
interface Target {
  readonly id: number
  readonly session: CDPSession
  /** The contexts of the page's own scripts by frame. */
  readonly pageContexts: Map<string, number>
}

/** The data that Chromium adds to a context, which the protocol's types do not describe. */
interface ContextOwner {
  readonly frameId: string
  /** Whether the page's own scripts run in it. */
  readonly isDefault: boolean
}

/** @param onMessage receives what a world passes to its function `kustosSend`, a string */
export async function openFrameWorlds(
  context: BrowserContext,
  page: Page,
  onMessage: (key: string, message: string) => void,
) {
  const targets = new Map<Frame, Promise<Target>>()
  const contexts = new Map<string, number>()
  /** The document of each world. Another process gives the same numbers again. */
  const documents = new Map<string, string>()
  let attached = 0
  const keyOf = (target: Target, contextId: number) => `${target.id} ${contextId}`

  async function attach(frame: Frame): Promise<Target> {
    const session = await context.newCDPSession(frame === page.mainFrame() ? page : frame)
    attached += 1
    const target: Target = { id: attached, session, pageContexts: new Map() }
    const { pageContexts } = target
    session.on('Runtime.executionContextCreated', ({ context: { id, auxData } }) => {
      const { frameId, isDefault } = auxData as unknown as ContextOwner
      if (isDefault && (pageContexts.size < maxContexts || pageContexts.has(frameId)))
        pageContexts.set(frameId, id)
    })
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      const document = documents.get(keyOf(target, executionContextId))
      if (name === bindingName && document !== undefined) onMessage(document, payload)
    })
    await session.send('Runtime.enable')
    // Only for the worlds, so that the page cannot call it.
    await session.send('Runtime.addBinding', { name: bindingName, executionContextName: worldName })
    await session.send('Page.enable')
    return target
  }

  /** Null if the frame shares its parent's process, or is gone. */
  async function findTarget(frame: Frame): Promise<Target | null> {
    const attaching = targets.get(frame) ?? attach(frame)
    targets.set(frame, attaching)
    try {
      return await attaching
    } catch (error) {
      // It may get a process of its own later.
      targets.delete(frame)
      if (frame === page.mainFrame()) throw error
      return null
    }
  }

  /** Frames of other sites have processes of their own. */
  async function findTargets(): Promise<readonly Target[]> {
    const main = page.mainFrame()
    const host = URL.parse(main.url())?.host
    const others = page
      .frames()
      .filter((frame) => frame !== main && URL.parse(frame.url())?.host !== host)
      .slice(0, maxFrames - 1)
    const found = await Promise.all([main, ...others].map(findTarget))
    return found.filter((target) => target !== null)
  }

  async function listWorlds(target: Target, isMain: boolean): Promise<FrameWorld[]> {
    const { session, pageContexts } = target
    const { frameTree } = await session.send('Page.getFrameTree')
    const trees = [frameTree]
    for (const { childFrames = [] } of trees) trees.push(...childFrames.slice(0, maxFrames - trees.length))
    const worlds = await Promise.all(
      trees.map(async ({ frame }, index) => {
        const document = `${target.id} ${frame.id} ${frame.loaderId}`
        let contextId = contexts.get(document)
        if (contextId === undefined) {
          // A frame may be removed in the meantime.
          const created = await session
            .send('Page.createIsolatedWorld', { frameId: frame.id, worldName })
            .catch((error: unknown) => {
              if (page.isClosed()) throw error
              return null
            })
          if (created === null) return []
          contextId = created.executionContextId
          contexts.set(document, contextId)
          documents.set(keyOf(target, contextId), document)
        }
        const world = contextId
        const found = {
          key: document,
          url: frame.url,
          isTop: isMain && index === 0,
          evaluate: (expression, timeoutMs) => evaluate(session, world, expression, timeoutMs),
          evaluateInPage: async (expression, timeoutMs) => {
            const own = pageContexts.get(frame.id)
            return own === undefined ? undefined : evaluate(session, own, expression, timeoutMs)
          },
        } satisfies FrameWorld
        return [found]
      }),
    )
    return worlds.flat()
  }

  return {
    /**
     * The current worlds of the page and its first frames. The page's comes first, unless the page changes meanwhile.
     * @throws if the page is closed
     */
    async list(): Promise<readonly FrameWorld[]> {
      const found = await findTargets()
      const worlds = await Promise.all(
        found.map((target, index) =>
          listWorlds(target, index === 0).catch((error: unknown) => {
            // A frame's process may have ended in the meantime, but not the page itself.
            if (index === 0 && page.isClosed()) throw error
            return []
          }),
        ),
      )
      return worlds.flat().slice(0, maxFrames)
    },
  }
}

async function evaluate(
  session: CDPSession,
  contextId: number,
  expression: string,
  timeoutMs = evaluateTimeoutMs,
): Promise<unknown> {
  try {
    const evaluated = await Promise.race([
      session.send('Runtime.evaluate', { expression, contextId, returnByValue: true, awaitPromise: true }),
      sleep(timeoutMs, null, { ref: false }),
    ])
    return evaluated === null || evaluated.exceptionDetails ? undefined : evaluated.result.value
  } catch {
    // The document is gone.
    return undefined
  }
}
