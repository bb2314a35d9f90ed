import type { Tone } from '@kustos/contract/grid'

/** Usercentrics and referrer.js: 1 is orange, newer versions are green (specification, section 4). */
export const versionTone = (version: number): Tone =>
  version === 1 ? 'orange' : version >= 2 ? 'green' : 'grey'
