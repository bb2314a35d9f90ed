import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

const root = fileURLToPath(new URL('./', import.meta.url))

/** Bytes as the server sends them, gzip; fonts are compressed already. */
export interface FirstLoad {
  /** With the catalogue of texts. */
  readonly scriptBytes: number
  readonly styleBytes: number
  readonly fontBytes: number
  readonly documentBytes: number
}

const gzipBytes = (content: string | Uint8Array) => gzipSync(content, { level: 9 }).length
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/**
 * Builds the app in memory, and measures what a browser with an empty cache loads until a screen is shown.
 * @returns a function that takes the modules a screen imports dynamically, by their paths under apps/web
 */
export async function buildForMeasuring(): Promise<(dynamicModules: readonly string[]) => FirstLoad> {
  const built = await build({
    root,
    configFile: `${root}vite.config.ts`,
    logLevel: 'warn',
    build: { write: false },
  })
  if (!('output' in built)) throw new Error('The build made something other than one bundle')
  const files = new Map(built.output.map((file) => [file.fileName, file]))
  const beforeScript = await readFile(`${root}public/before.js`)

  function read(name: string): string | Uint8Array {
    const file = files.get(name)
    if (file === undefined) throw new Error(`The build has no ${name}`)
    return file.type === 'chunk' ? file.code : file.source
  }
  function chunkOf(module: string): Rolldown.OutputChunk {
    for (const file of files.values())
      if (file.type === 'chunk' && file.facadeModuleId === `${root}${module}`) return file
    throw new Error(`The build has no chunk for ${module}`)
  }
  function addWithImports(chunk: Rolldown.OutputChunk, known: Set<Rolldown.OutputChunk>) {
    if (known.has(chunk)) return
    known.add(chunk)
    for (const name of chunk.imports) {
      const imported = files.get(name)
      if (imported?.type === 'chunk') addWithImports(imported, known)
    }
  }

  return (dynamicModules) => {
    const chunks = new Set<Rolldown.OutputChunk>()
    for (const module of ['index.html', ...dynamicModules]) addWithImports(chunkOf(module), chunks)
    const styles = new Set([...chunks].flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]))
    const page = String(read('index.html'))
    const fonts = [...page.matchAll(/assets\/[^"]+\.woff2/g)].map(([name]) => name)
    return {
      scriptBytes: gzipBytes(beforeScript) + sum([...chunks].map(({ code }) => gzipBytes(code))),
      styleBytes: sum([...styles].map((name) => gzipBytes(read(name)))),
      fontBytes: sum(fonts.map((name) => read(name).length)),
      documentBytes: gzipBytes(page),
    }
  }
}

/** What the login screen and the web list import dynamically, in English. */
export const firstScreens = {
  login: ['src/features/auth/LoginScreen.tsx'],
  webList: [
    'src/app/Console.tsx',
    'src/platform/messages/en/console.ts',
    'src/features/webs/WebListScreen.tsx',
  ],
} as const
