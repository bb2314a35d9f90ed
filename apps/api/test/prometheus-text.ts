export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

interface Family {
  readonly name: string
  readonly type: string
  readonly samples: readonly Sample[]
}

const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const suffixes: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
}

/**
 * Parses the Prometheus text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/).
 * @throws Error with the invalid line
 */
export function parsePrometheusText(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end')
  const families = new Map<string, { name: string; type: string; samples: Sample[] }>()
  const keys = new Set<string>()
  let help: string | undefined
  let current: { name: string; type: string; samples: Sample[] } | undefined
  for (const line of text.split('\n')) {
    if (line === '') continue
    const reject = (why: string): never => {
      throw new Error(`${why}: ${line}`)
    }
    const [, comment, of = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (comment === 'HELP') {
      if (!name.test(of) || families.has(of)) reject('A duplicate family, or an invalid name')
      help = of
    } else if (comment === 'TYPE') {
      if (help !== of || !(rest in suffixes)) reject('A type without help, or an unknown type')
      current = { name: of, type: rest, samples: [] }
      families.set(of, current)
    } else {
      const sample = readSample(line) ?? reject('An invalid sample')
      if (!current) throw new Error(`A sample before its type: ${line}`)
      const { type, name: family, samples } = current
      if (!suffixes[type]?.some((suffix) => sample.name === family + suffix))
        reject('A sample of another family')
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()])
      if (keys.has(key)) reject('A duplicate sample')
      keys.add(key)
      samples.push(sample)
    }
  }
  return families
}

const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/y

function readSample(line: string): Sample | null {
  const [head] = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line) ?? []
  if (head === undefined) return null
  const labels: Record<string, string> = {}
  let at = head.length
  if (line[at] === '{') {
    do {
      label.lastIndex = at + 1
      const found = label.exec(line)
      if (!found) return null
      const [, key = '', value = ''] = found
      if (key in labels) return null
      labels[key] = value.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
      at = label.lastIndex
    } while (line[at] === ',')
    if (line[at] !== '}') return null
    at += 1
  }
  const [, value] = /^ ([+-]?(?:Inf|NaN|Nan|\d+(?:\.\d+)?(?:e[+-]?\d+)?))$/.exec(line.slice(at)) ?? []
  return value === undefined ? null : { name: head, labels, value: Number(value.replace('Inf', 'Infinity')) }
}

/** The value of the only sample of a family with these labels, or undefined. */
export function findSample(
  families: ReadonlyMap<string, Family>,
  family: string,
  labels: Readonly<Record<string, string>> = {},
  suffix = '',
): number | undefined {
  const found = families
    .get(family)
    ?.samples.filter(
      (sample) =>
        sample.name === family + suffix &&
        Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )
  if (found && found.length > 1) throw new Error(`${family} has ${found.length} such samples`)
  return found?.[0]?.value
}
