import type { ThirdPartyCategory } from '@kustos/contract/third-parties/states'
import type { ConsentPhase, StorageKind, VisitStop } from '@kustos/contract/tracking'

type ByPhase = Readonly<Record<ConsentPhase, string>>
type ByChoice<Text> = Readonly<Record<Exclude<ConsentPhase, 'before'>, Text>>

/** The words of a report in one language. */
export interface ReportTexts {
  readonly title: string
  readonly unknown: string
  readonly none: string
  readonly and: string
  readonly facts: {
    readonly web: string
    readonly customer: string
    readonly startedAt: string
    readonly auditedAt: string
    readonly by: string
    readonly browser: string
    readonly noBrowser: string
    /** Of an audit that could not read the page. */
    readonly nothingRead: string
    readonly reason: string
    readonly onDemand: string
    readonly scheduled: string
    readonly record: string
    readonly timezone: string
  }
  readonly verdict: {
    readonly heading: string
    /** Such as `Before consent`, at the beginning of a sentence. */
    readonly phases: ByPhase
    readonly loaded: (phase: string, count: number, names: string) => string
    readonly nothingLoaded: (phase: string) => string
    /** Of services that were loaded, but told with each request that consent is denied. */
    readonly denied: (phase: string, count: number, names: string) => string
    /** Besides those that were told so. */
    readonly nothingElseLoaded: (phase: string) => string
    readonly stored: (phase: string, count: number, names: string) => string
    readonly toReview: (phase: string, count: number, names: string) => string
    /** What was stored with consent and is still there after it was withdrawn. */
    readonly left: (phase: string, count: number, names: string) => string
    readonly notTested: ByPhase
    readonly notRefused: string
    /** Of a phase that was entered but not seen to its end. */
    readonly partlyTested: (phase: string) => string
    readonly failed: string
    readonly notOpened: string
    readonly partial: string
    readonly confirmed: (time: string, earlier: string, number: number) => string
  }
  readonly visited: {
    readonly heading: string
    readonly page: (fqdn: string) => string
    /** Before the address of another website. */
    readonly leadsTo: string
    readonly static: string
    readonly browser: string
    readonly made: ByChoice<(way: string, isWhole: boolean) => string>
    readonly impossible: ByChoice<string>
    readonly call: (manager: string) => string
    readonly button: (manager: string) => string
    readonly anyButton: string
    /** Before the list of pages and visitors. */
    readonly stops: string
    readonly pages: Readonly<Record<VisitStop['page'], string>>
    readonly visitors: Readonly<Record<VisitStop['visitor'], string>>
    /** Before the reason; the second one of a page that was not opened, or not completely. */
    readonly incomplete: string
    readonly unopened: string
  }
  readonly phases: ByPhase
  readonly requests: {
    readonly heading: string
    readonly none: string
    /** Of a phase that was not seen to its end. */
    readonly noneSeen: string
    readonly host: string
    readonly service: string
    readonly count: string
    readonly first: string
    readonly violation: string
    readonly denied: string
    readonly review: string
    readonly seenOn: string
    readonly own: string
    readonly loadedBy: string
    readonly aliasOf: string
    readonly categories: Readonly<Record<ThirdPartyCategory, string>>
    readonly limited: (max: number) => string
  }
  readonly storage: {
    readonly heading: string
    readonly none: string
    /** Of a phase that was not seen to its end, or whose storage could not be read. */
    readonly noneSeen: string
    readonly notRead: string
    /** Beside the tracker's name. */
    readonly violation: string
    readonly review: string
    readonly kind: string
    readonly name: string
    readonly host: string
    readonly lifetime: string
    readonly setBy: string
    readonly kinds: Readonly<Record<StorageKind, string>>
    readonly session: string
    readonly untilDeleted: string
  }
  readonly signals: {
    readonly heading: string
    readonly host: string
    readonly signal: string
    readonly value: string
  }
  readonly tcf: {
    readonly heading: string
    readonly cmp: string
    readonly purposes: string
    readonly interests: string
    readonly vendors: string
    readonly string: string
  }
  readonly screenshot: { readonly alt: (phase: string) => string; readonly missing: string }
  readonly findings: {
    readonly heading: string
    readonly intro: string
    readonly service: string
    readonly value: string
    readonly host: string
    readonly found: string
    readonly waits: string
    readonly none: string
    readonly sources: Readonly<Record<string, string>>
  }
  readonly limits: {
    readonly heading: string
    readonly problems: string
    readonly noProblems: string
    readonly general: string
    readonly always: readonly string[]
  }
  readonly method: { readonly heading: string; readonly text: string }
  readonly proof: {
    readonly heading: string
    readonly intro: string
    readonly hash: string
    readonly evidenceHash: string
    readonly previous: string
    readonly first: string
    readonly images: string
    readonly signed: (keyId: string) => string
    readonly unsigned: string
    readonly check: string
  }
}
