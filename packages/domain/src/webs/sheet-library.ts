import { createRequire } from 'node:module'
import { deflateRawSync } from 'node:zlib'

// Keeps the library from loading a hundred code pages, which only reading needs: 20 MiB in the thread of each export.
Object.assign(globalThis, { cptable: {} })
const { default: XLSX } = await import('sheetjs-style')

/** The archiver that the library brings along, which has no types. */
interface Archiver {
  readonly compressions: { readonly DEFLATE: { compress(content: Uint8Array): Uint8Array } }
}
const archiver: Archiver = createRequire(import.meta.url)('sheetjs-style/jszip.js')

// Its own deflate in JavaScript takes half of the time of an export.
archiver.compressions.DEFLATE.compress = (content) => deflateRawSync(content)

export { XLSX }
