import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

const worthwhile = /\.(js|css|svg)$/
/** Below this a compressed file saves no packet. */
const smallest = 1024

/** Writes a `.br` and a `.gz` beside each text file of the build, so that the server compresses none of them itself. */
export const compressed = (): Plugin => ({
  name: 'kustos-compressed',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      await Promise.all(
        Object.values(bundle).map(async (file) => {
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          if (!worthwhile.test(file.fileName) || source.length < smallest) return
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }
          const [br, gz] = await Promise.all([brotli(source, quality), zip(source, { level: 9 })])
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: br })
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gz })
        }),
      )
    },
  },
})
