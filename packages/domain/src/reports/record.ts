import { createHash } from 'node:crypto'
import type { Message } from '@kustos/contract/messages'
import type { AuditOutcome, Finding, TrackingEngine, TrackingVisit } from '@kustos/contract/tracking'

/** What every record of a web's chain says. */
interface RecordHead {
  /** The version of this format. */
  readonly kustos_record: 1
  readonly web: { readonly id: number; readonly fqdn: string; readonly customer: string }
  /** From 1, without gaps for each web. */
  readonly number: number
  /** The hash of the record before it; null for the first one. */
  readonly previous: string | null
  /** When the audit began, in ISO 8601; missing in records of older releases. */
  readonly started_at?: string
  /** ISO 8601. */
  readonly recorded_at: string
  readonly inspection: number | null
  /** Whether somebody asked for the audit. */
  readonly requested: boolean
  readonly software: { readonly name: 'Kustos'; readonly revision: string; readonly browser: string | null }
}

export interface RecordedAudit {
  readonly engine: TrackingEngine
  readonly outcome: AuditOutcome
  /** The address of the other website to which the start page has led. */
  readonly leads_to?: string
  readonly problems: readonly string[]
  readonly problem_codes: readonly Message[]
  readonly findings: readonly Finding[]
  readonly visit: TrackingVisit | null
}

/** A record with the evidence of its audit. */
export interface FullRecord extends RecordHead {
  readonly audit: RecordedAudit
}

/** A record of an audit that has found the same as an earlier one of this month. */
export interface ConfirmingRecord extends RecordHead {
  readonly confirms: { readonly number: number; readonly hash: string }
}

export type AuditRecord = FullRecord | ConfirmingRecord

/** SHA-256 in hexadecimal. */
export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

/** JSON without white space, with the names of objects in the order of their code units (RFC 8785). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

/** Pages choose the length of what they are asked for. */
const maxTextLength = 10_000

/** Cuts long texts, and says how long they were. */
export function cutTexts(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length <= maxTextLength
      ? value
      : `${value.slice(0, maxTextLength)}… (${value.length} characters, SHA-256 ${sha256(value.toWellFormed())})`
  if (Array.isArray(value)) return value.map(cutTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutTexts(member)]))
}

/** The month at UTC that a record and its images belong to. */
export const monthOf = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
