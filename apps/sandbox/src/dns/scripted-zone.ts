import type { Answer } from 'dns-packet'
import { ttlSeconds, type Zone } from './zones.ts'

export type ScriptedType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'TXT'
export const scriptedTypes: readonly ScriptedType[] = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT']

/** Records that were set while the sandbox runs, by host and type such as `a.test MX`. */
export type ScriptedRecords = Map<string, readonly string[]>

/** Answers for these hosts and types instead of all other zones. */
export const scripted =
  (records: ScriptedRecords): Zone =>
  ({ name, type }) => {
    const texts = records.get(`${name.toLowerCase()} ${type}`)
    const known = scriptedTypes.find((one) => one === type)
    if (texts === undefined || known === undefined) return null
    return { answers: texts.map((text) => answer(name, known, text)) }
  }

function answer(name: string, type: ScriptedType, text: string): Answer {
  const record = { name, ttl: ttlSeconds }
  if (type === 'TXT') return { ...record, type, data: text.match(/.{1,255}/g) ?? [] }
  if (type !== 'MX') return { ...record, type, data: text }
  const [preference, exchange = '.'] = text.split(' ')
  return { ...record, type, data: { preference: Number(preference), exchange } }
}
