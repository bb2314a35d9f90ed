import { setTimeout as sleep } from 'node:timers/promises'
import type { AutoConsentCMPRule, Config, ContentScriptMessage } from '@duckduckgo/autoconsent'
import { managerOf, readAutoconsent, selectRules } from './autoconsent-rules.ts'
import type { ConsentAction } from './browser.ts'
import type { ConsentAnswer } from './consent.ts'
import type { FrameWorld, FrameWorlds } from './frame-worlds.ts'

/** For all steps of a rule. */
const answerTimeoutMs = 7_000
/** Of autoconsent itself. */
const pageEvaluationMs = 1_000
/** A banner may open another one in a frame, which has to be answered as well. */
const maxLayers = 3
const layerTries = 10
const layerRetryMs = 200
const maxMessageLength = 20_000

const noLogs = {
  lifecycle: false,
  rulesteps: false,
  detectionsteps: false,
  evals: false,
  errors: false,
  messages: false,
  waits: false,
}

/** It looks for banners and does nothing until it is told to. Rules that only hide a banner are left out. */
const config: Partial<Config> = {
  enabled: true,
  autoAction: null,
  enablePrehide: false,
  enableCosmeticRules: false,
  // Each looks for all rules; a visit waits no longer.
  detectRetries: 12,
  heuristicMode: 'off',
  isMainWorld: false,
  logs: noLogs,
}

/** What the script in a document has found and done. */
interface Instance {
  readonly world: FrameWorld
  /** The rule of the first banner that was visible. */
  rule: string | null
  clicks: number
  hasSucceeded: boolean
  /** False after a step of several, too. */
  isDone: boolean
}

export type Autoconsent = ReturnType<typeof createAutoconsent>

/**
 * Runs the rules of @duckduckgo/autoconsent in the worlds of a page's frames
 * (https://github.com/duckduckgo/autoconsent/blob/main/docs/api.md).
 */
export function createAutoconsent(worlds: () => FrameWorlds) {
  const instances = new Map<string, Instance>()
  let current: readonly Instance[] = []

  /** Starts the search in documents that are new. */
  async function search(): Promise<void> {
    const { script, rules } = await readAutoconsent()
    const open = (await worlds().list()).filter(({ url }) => /^https?:/.test(url))
    current = await Promise.all(
      open.map(async (world) => {
        const known = instances.get(world.key)
        if (known !== undefined) return known
        const instance: Instance = { world, rule: null, clicks: 0, hasSucceeded: false, isDone: false }
        instances.set(world.key, instance)
        await world.evaluate(sourceFor(script, selectRules(rules, world)))
        return instance
      }),
    )
  }

  async function run(instance: Instance, answer: ConsentAnswer): Promise<void> {
    instance.hasSucceeded = false
    instance.isDone = false
    const type = answer === 'accept' ? 'optIn' : 'optOut'
    await instance.world.evaluate(`autoconsentReceiveMessage({ type: '${type}' })`, answerTimeoutMs)
  }

  /** A banner's next layer, which may take a moment. */
  async function findNext(answered: ReadonlySet<Instance>): Promise<Instance | undefined> {
    for (let tries = 0; tries < layerTries; tries++) {
      await search()
      const next = current.find((one) => one.rule !== null && !answered.has(one))
      if (next !== undefined) return next
      await sleep(layerRetryMs)
    }
    return undefined
  }

  return {
    search,
    receive(key: string, text: string): void {
      const instance = instances.get(key)
      if (instance === undefined || text.length > maxMessageLength) return
      // Only the package's script can send it.
      const message = JSON.parse(text) as ContentScriptMessage
      if (message.type === 'eval') void evaluateInPage(instance.world, message.id, message.code)
      else if (message.type === 'popupFound') instance.rule ??= message.cmp
      else if (message.type === 'report') instance.clicks = message.state.clicks
      else if (message.type === 'optOutResult' || message.type === 'optInResult')
        instance.hasSucceeded = message.result
      else if (message.type === 'autoconsentDone') instance.isDone = true
    },
    /** Returns the visible banner's manager and how it can be answered; null if there is none. */
    findBanner(): ConsentAction | null {
      const found = current.find(({ rule }) => rule !== null)
      return found === undefined ? null : { manager: managerOf(found.rule ?? ''), way: 'button' }
    },
    /** Refuses or accepts by the visible banner. Returns how, or null if there is none or its rule fails. */
    async answer(answer: ConsentAnswer): Promise<ConsentAction | null> {
      const answered = new Set<Instance>()
      let next = current.find(({ rule }) => rule !== null)
      while (next !== undefined && answered.size < maxLayers) {
        answered.add(next)
        const clicks = next.clicks
        await run(next, answer)
        if (!next.hasSucceeded) return null
        const way = next.clicks > clicks ? 'button' : 'call'
        if (next.isDone) return { manager: managerOf(next.rule ?? ''), way }
        next = await findNext(answered)
      }
      return null
    },
  }
}

const sourceFor = (script: string, rules: readonly AutoConsentCMPRule[]) => `
globalThis.autoconsentSendMessage = async (message) => kustosSend(JSON.stringify(message));
${script};
void autoconsentReceiveMessage({ type: 'initResp', config: ${JSON.stringify(config)}, rules: { autoconsent: ${JSON.stringify(rules)} } })`

/** Some rules ask the page's own objects, such as a manager's function. */
async function evaluateInPage(world: FrameWorld, id: string, code: string): Promise<void> {
  const result = await world.evaluateInPage(`(async () => !!(await ${code}))()`, pageEvaluationMs)
  const response = { type: 'evalResp', id, result: result === true }
  await world.evaluate(`void autoconsentReceiveMessage(${JSON.stringify(response)})`)
}
