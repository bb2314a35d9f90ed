import data from './generated-webs.json' with { type: 'json' }
import { createRandom } from './random.ts'
import { buildWeb, type SeedWeb } from './web.ts'

const { trades, names, towns, frameworks, topics, comments } = data
const combinations = trades.length * names.length * towns.length
/** Coprime to the number of combinations, so that all of them are used and neighbours in the list differ. */
const stride = 75_503

/** The web at this position of an endless list: always the same one, and unlike all others up to 180,000. */
export function generateWeb(index: number, now: Date): SeedWeb {
  const random = createRandom(0x6b75 + index * 7919)
  const round = Math.floor(index / combinations)
  const combination = (index * stride) % combinations
  const trade = pickAt(trades, combination)
  const name = pickAt(names, Math.floor(combination / trades.length))
  const town = pickAt(towns, Math.floor(combination / trades.length / names.length))
  const prefix = random.chance(0.7) ? 'www.' : ''
  const definition = {
    fqdn: `${prefix}${trade.name}-${name}-${town}${round === 0 ? '' : round + 1}.test`,
    customer: random.chance(0.35) ? String(random.int(100_000, 999_999)) : name.toUpperCase(),
    categories: [trade.category, ...(random.chance(0.4) ? ['Wartungsvertrag'] : [])],
    framework: random.weighted(frameworks),
    topics: topics.filter(() => random.chance(0.12)),
    columns: { comment: random.chance(0.2) ? random.pick(comments) : null },
  }
  return buildWeb(definition, random, now)
}

function pickAt<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('The list is empty')
  return item
}
