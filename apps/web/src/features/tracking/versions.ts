import type { Tone } from '@kustos/contract/grid'

/** Of Usercentrics and referrer.js: 1 is orange, everything newer green (specification, section 4). */
export const versionTone = (version: number): Tone =>
  version === 1 ? 'orange' : version >= 2 ? 'green' : 'grey'
