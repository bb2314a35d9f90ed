import { expect, test } from 'vitest'
import { readContainerSettings, startContainers } from './containers.ts'
import { killAtRandom } from './kill-at-random.ts'

const settings = await readContainerSettings()
const kills = Number(process.env.KUSTOS_FAULTS_KILLS ?? 10)
const seed = Number(process.env.KUSTOS_FAULTS_SEED ?? 2026)

const print = (line: string) => void process.stderr.write(`${line}\n`)

test.skipIf(settings === null)(
  'random kills of containers lose, repeat and leak nothing',
  { timeout: 180_000 + kills * 30_000 },
  async () => {
    if (settings === null) return
    const start = () => startContainers(settings)
    const { report, ...found } = await killAtRandom({ name: 'containers', start, kills, seed, print })
    for (const line of report) print(`containers: ${line}`)
    expect(found).toEqual({ lost: [], duplicated: [], stuck: [], violations: [] })
  },
)
