import { fileURLToPath } from 'node:url'

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** Where things lie in the checkout. */
export const places = {
  root: at(''),
  lockfile: at('pnpm-lock.yaml'),
  contract: at('packages/contract/src'),
  web: at('apps/web'),
  api: at('apps/api/src/server.ts'),
  worker: at('apps/worker/src/main.ts'),
}
