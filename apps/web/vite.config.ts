import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'
import { compressed } from './compressed.ts'
import { stripRouteSchemas } from './strip-route-schemas.ts'

/** Texts are in files of the same names for each language. */
function languagePrefix(module: string | null): string {
  const language = /\/messages\/(\w\w)\/\w+\.ts$/.exec(module ?? '')?.[1]
  return language === undefined ? '' : `${language}-`
}

export default defineConfig(({ mode }) => {
  const api = loadEnv(mode, '.', 'KUSTOS_').KUSTOS_API_URL ?? 'http://127.0.0.1:3000'
  return {
    plugins: [stripRouteSchemas(), react(), compressed()],
    build: {
      // The first of each to know light-dark() and Promise.withResolvers. Rewritten for older ones, it would miss Mantine's inline color-scheme.
      target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
      // light-dark() has to stay as it is written: its replacement never follows the chosen scheme.
      cssTarget: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
      modulePreload: { polyfill: false },
      // Inlined files would need data: in the content security policy.
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: {
          chunkFileNames: ({ facadeModuleId }) => `assets/${languagePrefix(facadeModuleId)}[name]-[hash].js`,
          codeSplitting: {
            includeDependenciesRecursively: false,
            // All of them, but for tags, load with the console, and not with the login screen. Apart, they compress badly, and the
            // console names each file that a screen needs.
            groups: [
              { name: 'routes', test: /packages\/contract\/src\/.*routes\.ts$/ },
              { name: 'grid', test: /packages\/contract\/src\/grid\/.*\.ts$/ },
              { name: 'tags', test: /\/(contract\/src|web\/src\/entities)\/tags?\/(?!routes|carried)/ },
              {
                name: 'cells',
                test: /src.(entities.(web|node|customer|incident).(paths|certificate|[a-z]+-cells|DownFor|HttpChip|ProbeState)|ui.data-grid.GridLink|ui.(Can|LinkButton|PageHeader|EmptyState|copy|use-alert)|platform.(search-params|list-url)|entities.deployment.request-deployment).tsx?$/,
              },
              {
                name: 'icons',
                test: /icons-react.dist.esm.icons.Icon(?!Eye|Key|Alert|Lock)/,
                minShareCount: 5,
              },
              {
                name: 'controls',
                test: /@mantine.core.esm.components.(Menu|Popover|FocusTrap|Radio)/,
                minShareCount: 4,
              },
            ],
          },
        },
      },
    },
    server: { proxy: { '/api': api, '/sanctum': api } },
  }
})
