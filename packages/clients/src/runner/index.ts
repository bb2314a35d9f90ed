export { cutMark } from './line-splitter.ts'
export { type LocalRunnersOptions, openLocalRunners } from './local-runners.ts'
export * from './runner.ts'
export { openSshRunners, type SshRunnersOptions } from './ssh-runners.ts'
