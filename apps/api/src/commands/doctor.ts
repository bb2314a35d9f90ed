import { type Command, CommandError, print, requireConfiguration, withDatabase } from './command.ts'

const signs = { ok: 'ok  ', warning: '?   ', error: 'FAIL' } as const

export const doctorCommand: Command = {
  name: 'doctor',
  usage:
    '  doctor                                     checks the installation and says how to fix what is wrong',
  async run() {
    const { checkInstallation } = await import('@kustos/domain/doctor')
    const findings = await withDatabase((database) => checkInstallation(requireConfiguration(), database))
    const width = Math.max(...findings.map(({ subject }) => subject.length))
    for (const { subject, state, text, advice } of findings) {
      print(`${signs[state]}  ${subject.padEnd(width)}  ${text}`)
      if (advice !== undefined) print(`${' '.repeat(width + 8)}${advice}`)
    }
    const faults = findings.filter(({ state }) => state === 'error').length
    if (faults > 0) throw new CommandError(`${faults} ${faults === 1 ? 'fault' : 'faults'} found.`)
  },
}
