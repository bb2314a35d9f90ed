import type { TrackingTopic } from '@kustos/contract/tracking'
import { each, pause } from '../cooperative.ts'
import {
  codeEvidence,
  type DetectedFinding,
  type Detector,
  type LoadedResource,
  loadEvidence,
  type PageCode,
  type TagManagerTag,
  tagEvidence,
} from '../page-snapshot.ts'
import { isPlaceholder } from '../placeholders.ts'
import { type ScriptFacts, type ScriptValue, type Span, textsOf } from '../scripts/script-facts.ts'

interface Pixel {
  readonly topic: TrackingTopic
  /** Where its script comes from. */
  readonly domain: string
  readonly id: RegExp
  /** Where a script names its id. */
  readonly inScript: (facts: ScriptFacts) => readonly FoundId[]
  /** The host, the path and the id's parameter of its requests or its script. */
  readonly request: {
    readonly host: RegExp
    /** Its first group may be the id. */
    readonly path: RegExp
    readonly id: string
    /** Finds the id in the body, as its first group. */
    readonly body?: RegExp
  }
  /** The tags of a container that are this pixel, and the values that may hold its id. */
  readonly tag: { readonly kind: RegExp; readonly values: readonly string[] }
  /** In the settings of a plugin: the name of the id, and that of an object around it. */
  readonly settings: { readonly id?: RegExp; readonly pathPart: RegExp; readonly name: RegExp }
}

interface FoundId extends Span {
  readonly value: ScriptValue | undefined
}

const inCalls =
  (name: string, argument: number, command?: string) =>
  ({ calls }: ScriptFacts): FoundId[] =>
    calls
      .filter(
        (call) => call.name === name && (command === undefined || textsOf(call.args[0]).includes(command)),
      )
      .map(({ args, start, end }) => ({ value: args[argument], start, end }))

const inAssignments =
  (name: RegExp) =>
  ({ assignments }: ScriptFacts): FoundId[] =>
    assignments.filter((one) => name.test(one.name))

/** The field alone may be of any object: Microsoft's queue or script has to be named beside it. */
function inTagSettings({ objects, mentions, texts }: ScriptFacts): FoundId[] {
  const isTheirs =
    mentions.includes('uetq') ||
    mentions.includes('UET') ||
    texts.some(({ text }) => text.includes('bat.bing.'))
  return isTheirs ? objects.map(({ fields, start, end }) => ({ value: fields.get('ti'), start, end })) : []
}

/** Services that are found alike: by a call, by a request, by a tag. Their identifiers are those of 2026. */
export const pixels: readonly Pixel[] = [
  {
    topic: 'pinterestads',
    domain: 's.pinimg.com',
    id: /^\d{10,16}$/,
    inScript: inCalls('pintrk', 1, 'load'),
    request: { host: /^ct\.pinterest\.com$/, path: /^\/(?:v3|user)\/?$/, id: 'tid' },
    tag: { kind: /^__pntr$/, values: ['tagId'] },
    settings: { pathPart: /pinterest/, name: /^(?:pinterest)?(?:pixel|tag)ids?$/ },
  },
  {
    topic: 'microsoftads',
    domain: 'bat.bing.com',
    id: /^\d{5,12}$/,
    inScript: inTagSettings,
    request: { host: /^bat\.bing\.(com|net)$/, path: /^\/(?:action\/0|p\/action\/(\d+)\.js)$/, id: 'ti' },
    tag: { kind: /^__baut$/, values: ['tagId', 'uetTagId'] },
    settings: { pathPart: /bing|microsoft|^uet/, name: /^(?:bing|uet)?(?:pixel|tag)ids?$/ },
  },
  {
    topic: 'linkedinads',
    domain: 'snap.licdn.com',
    id: /^\d{4,12}$/,
    inScript: (facts) => [
      ...inAssignments(/^_linkedin_/)(facts),
      ...inCalls('_linkedin_data_partner_ids.push', 0)(facts),
    ],
    request: {
      host: /^(px\d?|dc)\.ads\.linkedin\.com$/,
      path: /^\/(?:collect|attribution_trigger|wa)\/?$/,
      id: 'pid',
      body: /"pids":\[\s*(\d+)/,
    },
    tag: { kind: /^__bzi$/, values: ['id', 'partnerId'] },
    settings: { pathPart: /linkedin/, name: /^(?:linkedin)?partnerids?$/ },
  },
  {
    topic: 'tiktokads',
    domain: 'analytics.tiktok.com',
    id: /^[A-Z0-9]{12,24}$/,
    inScript: inCalls('ttq.load', 0),
    request: {
      host: /^analytics\.tiktok\.com$/,
      path: /\/events\.js$|^\/api\/v2\/(?:pixel|monitor)/,
      id: 'sdkid',
      body: /"(?:pixelCode|pixel_code|code)":"([A-Z0-9]{12,24})"/,
    },
    tag: { kind: /^__cvt/, values: ['pixelCode', 'pixel_code'] },
    settings: { id: /^[A-Z0-9]{16,24}$/, pathPart: /tiktok/, name: /^(?:tiktok)?pixel(?:ids?|code)?$/ },
  },
]

/** Pinterest, Microsoft, LinkedIn and TikTok. */
export const adPixels: Detector = function* ({ loads, codes, tags }) {
  for (const pixel of pixels) {
    for (const code of codes) {
      yield pause
      yield* findInScript(pixel, code)
    }
    yield* each(tags, (tag) => findInTag(pixel, tag))
    yield* each(loads, (load) => findInRequest(pixel, load))
  }
}

function* findInScript(pixel: Pixel, code: PageCode): Iterable<DetectedFinding> {
  const { inScript, topic, domain } = pixel
  for (const found of inScript(code.facts))
    for (const value of textsOf(found.value))
      if (isId(pixel, value)) yield { topic, value, domain, evidence: codeEvidence(code, found) }
}

function* findInTag(pixel: Pixel, tag: TagManagerTag): Iterable<DetectedFinding> {
  const { topic, domain } = pixel
  if (!pixel.tag.kind.test(tag.kind)) return
  const value = pixel.tag.values.map((name) => tag.values[name]).find((text) => isId(pixel, text))
  if (value !== undefined) yield { topic, value, domain, evidence: tagEvidence(tag) }
}

function* findInRequest(pixel: Pixel, load: LoadedResource): Iterable<DetectedFinding> {
  const { topic, request } = pixel
  const { url, source } = load
  const path = request.path.exec(url.pathname)
  if (source === 'link' || !request.host.test(url.hostname) || path === null) return
  const fromBody = request.body?.exec(load.request?.body ?? '')?.[1]
  const value = url.searchParams.get(request.id) ?? path[1] ?? fromBody
  if (isId(pixel, value)) yield { topic, value, domain: url.hostname, evidence: loadEvidence(load) }
}

const isId = ({ id }: Pixel, value: string | undefined): value is string =>
  value !== undefined && id.test(value) && !isPlaceholder(value)
