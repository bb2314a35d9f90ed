import zlib from 'node:zlib'

// Keeps the library from loading a hundred code pages, which only reading needs: 20 MiB in the thread of each export.
Object.assign(globalThis, { cptable: {} })
const { default: XLSX } = await import('sheetjs-style')

/** The library uses `bytesRead`, which Node has renamed to `bytesWritten`: https://nodejs.org/api/deprecations.html, DEP0108. */
class InflateRaw extends zlib.InflateRaw {
  get bytesRead(): number {
    return this.bytesWritten
  }
}

/** Missing in its types: https://github.com/SheetJS/js-cfb, `CFB.utils`. */
const utils = XLSX.CFB.utils as typeof XLSX.CFB.utils & { use_zlib(zlib: object): void }

// Its own deflate in JavaScript takes a quarter of the time of an export.
utils.use_zlib({ ...zlib, InflateRaw })

export { XLSX }
