import type { TrackingTopic } from '@kustos/contract/tracking'
import { each, pause } from '../cooperative.ts'
import {
  codeEvidence,
  type DetectedFinding,
  type Detector,
  type LoadedResource,
  literalValue,
  loadEvidence,
  matches,
  type PageCode,
  type TagManagerTag,
  tagEvidence,
} from '../page-snapshot.ts'
import { isPlaceholder } from '../placeholders.ts'
import { containsMatch } from '../search-text.ts'

interface Pixel {
  readonly topic: TrackingTopic
  /** Where its script comes from. */
  readonly domain: string
  readonly id: RegExp
  /** Its first group is the id, its second one the name of what holds it. Global. */
  readonly call: RegExp
  /** Must also match in the same code. Global. */
  readonly beside?: RegExp
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

/** Services that are found alike: by a call, by a request, by a tag. Their identifiers are those of 2026. */
export const pixels: readonly Pixel[] = [
  {
    topic: 'pinterestads',
    domain: 's.pinimg.com',
    id: /^\d{10,16}$/,
    call: /\bpintrk\s*\(\s*["'`]load["'`]\s*,\s*(?:["'`](\d{10,16})["'`]|([A-Za-z_$][\w$]*))/g,
    request: { host: /^ct\.pinterest\.com$/, path: /^\/(?:v3|user)\/?$/, id: 'tid' },
    tag: { kind: /^__pntr$/, values: ['tagId'] },
    settings: { pathPart: /pinterest/, name: /^(?:pinterest)?(?:pixel|tag)ids?$/ },
  },
  {
    topic: 'microsoftads',
    domain: 'bat.bing.com',
    id: /^\d{5,12}$/,
    call: /(?<=[{,\s])["']?ti["']?\s*:\s*["'`]?(\d{5,12})\b["'`]?/g,
    // The word alone may occur in any text.
    beside: /bat\.bing\.(?:com|net)\/bat\.js|\bnew UET\b|\.uetq\b|\buetq\s?(?:=|\.push|\|\|)/g,
    request: { host: /^bat\.bing\.(com|net)$/, path: /^\/(?:action\/0|p\/action\/(\d+)\.js)$/, id: 'ti' },
    tag: { kind: /^__baut$/, values: ['tagId', 'uetTagId'] },
    settings: { pathPart: /bing|microsoft|^uet/, name: /^(?:bing|uet)?(?:pixel|tag)ids?$/ },
  },
  {
    topic: 'linkedinads',
    domain: 'snap.licdn.com',
    id: /^\d{4,12}$/,
    call: /\b_linkedin_(?:(?:data_)?partner_id\s*=|data_partner_ids\.push\s*\()\s*(?:["'`]?(\d{4,12})\b|([A-Za-z_$][\w$]{0,60}))/g,
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
    call: /\bttq\.load\s*\(\s*(?:["'`]([A-Z0-9]{12,24})["'`]|([A-Za-z_$][\w$]*))/g,
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

function* findInScript(pixel: Pixel, code: PageCode): Iterable<DetectedFinding | typeof pause> {
  const { call, beside, topic, domain } = pixel
  if (beside !== undefined && !(yield* containsMatch(code.text, beside))) return
  for (const match of yield* matches(code, call)) {
    const value = match[1] ?? (yield* literalValue(code, match[2]))
    if (isId(pixel, value)) yield { topic, value, domain, evidence: codeEvidence(code, match) }
  }
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
