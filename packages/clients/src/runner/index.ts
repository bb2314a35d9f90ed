export { type LocalRunnersOptions, openLocalRunners } from './local.ts'
export * from './runner.ts'
export { openSshRunners, type SshRunnersOptions } from './ssh.ts'
