import { alternativesOf, type ScriptValue, unknownValue } from './script-facts.ts'

/** Characters of a folded text; ids and addresses are shorter. */
const maxTextLength = 4_000
const maxAlternatives = 8

const isText = (value: ScriptValue): value is string | number | boolean | null =>
  typeof value !== 'object' || value === null

/** @param isOpen whether there may be further values that the script does not show */
export function combineValues(values: readonly ScriptValue[], isOpen = false): ScriptValue {
  const all = [...new Set(values.flatMap(alternativesOf))].slice(0, maxAlternatives)
  const [only = unknownValue] = all
  const isAnyOpen = isOpen || values.some(isOpenChoice)
  if (all.length <= 1 && (!isAnyOpen || only === unknownValue)) return only
  return { kind: 'choice', values: all, isOpen: isAnyOpen }
}

const isOpenChoice = (value: ScriptValue): boolean =>
  typeof value === 'object' && value?.kind === 'choice' && value.isOpen

/** `left + right`, for all that both may be. */
export function concatValues(left: ScriptValue, right: ScriptValue): ScriptValue {
  const pairs = alternativesOf(left).flatMap((a) => alternativesOf(right).map((b) => concatOne(a, b)))
  return combineValues(pairs, isOpenChoice(left) || isOpenChoice(right))
}

function concatOne(left: ScriptValue, right: ScriptValue): ScriptValue {
  if (!isText(left)) return left.kind === 'start' ? left : unknownValue
  if (!isText(right)) {
    const more = right.kind === 'start' ? right.text : ''
    return createStart(`${left}${more}`)
  }
  if (typeof left === 'number' && typeof right === 'number') return left + right
  const text = `${left}${right}`
  return text.length <= maxTextLength ? text : createStart(text)
}

const createStart = (text: string): ScriptValue => ({ kind: 'start', text: text.slice(0, maxTextLength) })

/** Compares two constants; other values are not known. */
export function compareValues(operator: string, left: ScriptValue, right: ScriptValue): ScriptValue {
  if (!isText(left) || !isText(right)) return unknownValue
  if (operator === '===') return left === right
  if (operator === '!==') return left !== right
  if (typeof left !== typeof right) return unknownValue
  if (operator === '==') return left === right
  if (operator === '!=') return left !== right
  if (typeof left !== 'number' || typeof right !== 'number') return unknownValue
  if (operator === '<') return left < right
  if (operator === '>') return left > right
  return operator === '<=' ? left <= right : left >= right
}

export function truthOf(value: ScriptValue): boolean | undefined {
  if (isText(value)) return Boolean(value)
  if (value.kind === 'list' || value.kind === 'object') return true
  if (value.kind === 'start') return value.text === '' ? undefined : true
  if (value.kind === 'unknown' || value.isOpen) return undefined
  const truths = new Set(value.values.map(truthOf))
  return truths.size === 1 ? [...truths][0] : undefined
}

/** What an expression has under a path of keys; `*` is each entry of a list. */
export const readPath = (value: ScriptValue, path: readonly string[]): ScriptValue =>
  path.reduce(
    (inner, key) =>
      combineValues(
        alternativesOf(inner).map((one) => readKey(one, key)),
        isOpenChoice(inner),
      ),
    value,
  )

/** What holds an object may change its fields. */
function readKey(value: ScriptValue, key: string): ScriptValue {
  if (isText(value)) return unknownValue
  if (value.kind === 'object') return combineValues([value.fields.get(key) ?? unknownValue], true)
  if (value.kind !== 'list') return unknownValue
  return combineValues(key === '*' ? value.items : [value.items[Number(key)] ?? unknownValue], true)
}
