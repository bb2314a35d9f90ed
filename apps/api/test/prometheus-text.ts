/** One value of a metric. */
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
 * Reads the whole of Prometheus' text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/).
 * @throws Error with the line that is not of it
 */
export function parsePrometheusText(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end')
  const families = new Map<string, { name: string; type: string; samples: Sample[] }>()
  const seen = new Set<string>()
  let help: string | undefined
  let current: { name: string; type: string; samples: Sample[] } | undefined
  for (const line of text.split('\n')) {
    if (line === '') continue
    const refuse = (why: string): never => {
      throw new Error(`${why}: ${line}`)
    }
    const [, comment, of = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (comment === 'HELP') {
      if (!name.test(of) || families.has(of)) refuse('A family that is told twice, or of no name')
      help = of
    } else if (comment === 'TYPE') {
      if (help !== of || !(rest in suffixes)) refuse('A type without help, or unknown')
      current = { name: of, type: rest, samples: [] }
      families.set(of, current)
    } else {
      const sample = readSample(line) ?? refuse('No sample')
      if (!current) throw new Error(`A sample before its type: ${line}`)
      const { type, name: family, samples } = current
      if (!suffixes[type]?.some((suffix) => sample.name === family + suffix))
        refuse('A sample of another family')
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()])
      if (seen.has(key)) refuse('A sample that is told twice')
      seen.add(key)
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

/** The value of a family's only sample with these labels; undefined where there is none. */
export function sampleOf(
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
