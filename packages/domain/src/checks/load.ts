import type { ProbeCheck } from '@kustos/clients/probe'
import { defaultCheck, type EffectiveCheck, readStatuses } from '@kustos/contract/checks'
import type { Transaction } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import type { SecretBox } from '../platform/secret-box.ts'
import { openHeaders } from './headers.ts'
import { type CheckLevel, levelOf, mergeLevels } from './merge.ts'
import { readLevels } from './stored.ts'

/** A check, ready for probes. */
export interface WebCheck {
  /** What is requested; undefined for the front page alone, which costs less. */
  readonly request: ProbeCheck | undefined
  readonly path: string
  /** Whether the body is requested. */
  readonly readsBody: boolean
  readonly expected: NonNullable<ReturnType<typeof readStatuses>>
  readonly requiredText: string
  readonly forbiddenText: string
  /** 0 for never. */
  readonly slowMs: number
  readonly acceptsEmpty: boolean
  readonly alertsDegraded: boolean
  /** Whether the headers were sealed with a key that is no longer configured, and are not sent. */
  readonly lacksHeaders: boolean
}

/**
 * Reads the checks of those webs that have settings of their own, of a tag or of their customer.
 * @param box opens the headers; null if no key is configured, or if they are not needed
 */
export async function loadChecks(
  db: Transaction,
  webs: readonly number[],
  box: SecretBox | null,
): Promise<ReadonlyMap<number, WebCheck>> {
  const levels = await readLevels(db, sql`${sql.param(webs)}::int[]`)
  return new Map([...levels].map(([web, ofWeb]) => [web, prepare(ofWeb, box)]))
}

function prepare(levels: readonly CheckLevel[], box: SecretBox | null): WebCheck {
  const level = levelOf(levels, 'headers')
  const headers = level === undefined ? [] : openHeaders(box, level.id, level.settings.headers ?? [])
  return toWebCheck(mergeLevels(levels).effective, headers)
}

/** @param headers null if they cannot be opened */
function toWebCheck(check: EffectiveCheck, headers: ProbeCheck['headers'] | null): WebCheck {
  const texts = [check.required_text, check.forbidden_text].filter((text) => text !== '')
  const isPlain =
    check.path === defaultCheck.path &&
    check.method === defaultCheck.method &&
    check.timeout_seconds === defaultCheck.timeout_seconds &&
    !check.follows_redirects &&
    texts.length + check.headers.length === 0
  return {
    request: isPlain
      ? undefined
      : {
          method: check.method,
          path: check.path,
          headers: headers ?? [],
          followsRedirects: check.follows_redirects,
          redirectHosts: check.redirect_hosts,
          texts,
          timeoutMs: check.timeout_seconds * 1000,
        },
    path: check.path,
    readsBody: check.method === 'GET' || texts.length > 0,
    expected: readStatuses(check.statuses) ?? [],
    requiredText: check.required_text,
    forbiddenText: check.forbidden_text,
    slowMs: check.slow_ms,
    acceptsEmpty: check.accepts_empty,
    alertsDegraded: check.alerts_degraded,
    lacksHeaders: headers === null,
  }
}

export const defaultWebCheck = toWebCheck(mergeLevels([]).effective, [])
