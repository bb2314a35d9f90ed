import { fileURLToPath } from 'node:url'

const inRepository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

export const paths = {
  root: inRepository(''),
  lockfile: inRepository('pnpm-lock.yaml'),
  contract: inRepository('packages/contract/src'),
  web: inRepository('apps/web'),
  api: inRepository('apps/api/src/server.ts'),
  worker: inRepository('apps/worker/src/main.ts'),
}
