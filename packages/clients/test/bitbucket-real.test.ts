import { describe } from 'vitest'
import { checkBitbucket } from './bitbucket-kit.ts'

const {
  KUSTOS_BITBUCKET_URL: url = '',
  KUSTOS_BITBUCKET_WORKSPACE: workspace = '',
  KUSTOS_BITBUCKET_TOKEN: credentials = '',
} = process.env

// Reads, and writes nothing.
describe.skipIf([url, workspace, credentials].includes(''))('the real Bitbucket', () => {
  checkBitbucket(() => ({ url, workspace, credentials }), { forks: false })
})
