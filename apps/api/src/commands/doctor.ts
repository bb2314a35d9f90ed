import { type Command, CommandError, print, requireConfiguration, withDatabase } from './command.ts'

const signs = { fine: 'ok  ', doubtful: '?   ', wrong: 'FAIL' } as const

export const doctorCommand: Command = {
  name: 'doctor',
  usage:
    '  doctor                                     looks for what is misconfigured, and says how to mend it',
  async run() {
    const { examine } = await import('@kustos/domain/doctor')
    const findings = await withDatabase((database) => examine(requireConfiguration(), database))
    const width = Math.max(...findings.map(({ about }) => about.length))
    for (const { about, state, text, advice } of findings) {
      print(`${signs[state]}  ${about.padEnd(width)}  ${text}`)
      if (advice !== undefined) print(`${' '.repeat(width + 8)}${advice}`)
    }
    const faults = findings.filter(({ state }) => state === 'wrong').length
    if (faults > 0) throw new CommandError(`${faults} ${faults === 1 ? 'fault' : 'faults'} found.`)
  },
}
